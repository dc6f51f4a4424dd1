// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The names of means against samples beyond full scale.
enum ClippingChoice: String, ExpressibleByArgument {
  case peak, limiter, none
}
