// SPDX-License-Identifier: Apache-2.0

// A header is all there is.
