// SPDX-License-Identifier: Apache-2.0

/// The looks of the page, in the light and in the dark.
enum ReportStyle {
  // No ">" and no "&": the style stands in the page as any other text.
  static let text = """

    :root { color-scheme: light dark; --paper: #fcfcfa; --card: #fff; --ink: #1c1d20;
      --soft: #63666d; --line: #e4e3de;
      --c0: #2a6fc9; --c1: #12916a; --c2: #b97400; --c3: #7a4fc2; --c4: #cf4040; --c5: #b5418c;
      --c6: #4f7a14; --c7: #56606e }
    @media (prefers-color-scheme: dark) {
      :root { --paper: #141517; --card: #1b1d20; --ink: #e9e8e4; --soft: #9a9da4; --line: #303338;
      --c0: #6aa5f0; --c1: #3fc29a; --c2: #e0a33e; --c3: #ab8bec; --c4: #f07f78; --c5: #e383bd;
      --c6: #96bd57; --c7: #a3adba } }
    body { margin: 0; background: var(--paper); color: var(--ink);
      font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif }
    main { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.1rem 4rem }
    h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em }
    h2 { font-size: 1.3rem; line-height: 1.3; margin: 3.2rem 0 .3rem }
    h3 { font-size: 1.08rem; margin: 2.2rem 0 .1rem }
    p { margin: .3rem 0 .8rem; max-width: 44rem }
    .soft, footer, figcaption span { color: var(--soft) }
    .warning { color: var(--c4); font-weight: 600 }
    .tiles { display: grid; gap: 1rem; margin: 1.8rem 0 0;
      grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr)) }
    .tiles div { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
      padding: .9rem 1.1rem }
    .tiles dt { font-size: 1.75rem; line-height: 1.2; font-weight: 600;
      font-variant-numeric: tabular-nums }
    .tiles dd { margin: .2rem 0 0; color: var(--soft); font-size: .88rem; line-height: 1.4 }
    @media (max-width: 30rem) {
      .tiles { gap: .7rem }
      .tiles div:last-child:nth-child(odd) { grid-column: span 2 } }
    .plots { display: grid; gap: 1rem; margin: 1rem 0;
      grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)) }
    figure { margin: 0; background: var(--card); border: 1px solid var(--line);
      border-radius: 10px; padding: 1rem 1.1rem }
    figcaption { margin-bottom: .8rem; line-height: 1.35 }
    figcaption b { display: block; font-weight: 600 }
    figcaption span { font-size: .85rem }
    .table { overflow-x: auto; margin: 1rem 0 }
    table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums;
      min-width: 100% }
    th, td { text-align: right; padding: .32rem .7rem; white-space: nowrap;
      border-bottom: 1px solid var(--line) }
    th { color: var(--soft); font-weight: 500 }
    th:first-child, td:first-child { text-align: left; padding-left: 0 }
    footer { margin-top: 3.5rem; border-top: 1px solid var(--line); padding-top: 1rem;
      font-size: .88rem }
    svg { display: block; width: 100%; height: auto; font-size: 12.5px;
      font-variant-numeric: tabular-nums }
    svg text { fill: var(--ink) }
    svg text.soft { fill: var(--soft); font-size: 12px }
    svg text.value { font-weight: 600 }
    svg text.name { font-weight: 600 }
    line.grid { stroke: var(--line) }
    line.mark { stroke: var(--ink); stroke-width: 1.4 }
    line.lead { stroke-width: .8; opacity: .55 }
    .curve { fill: none; stroke-width: 1.8; stroke-linejoin: round }
    rect.c0, text.c0 { fill: var(--c0) } .curve.c0, line.c0 { stroke: var(--c0) }
    rect.c1, text.c1 { fill: var(--c1) } .curve.c1, line.c1 { stroke: var(--c1) }
    rect.c2, text.c2 { fill: var(--c2) } .curve.c2, line.c2 { stroke: var(--c2) }
    rect.c3, text.c3 { fill: var(--c3) } .curve.c3, line.c3 { stroke: var(--c3) }
    rect.c4, text.c4 { fill: var(--c4) } .curve.c4, line.c4 { stroke: var(--c4) }
    rect.c5, text.c5 { fill: var(--c5) } .curve.c5, line.c5 { stroke: var(--c5) }
    rect.c6, text.c6 { fill: var(--c6) } .curve.c6, line.c6 { stroke: var(--c6) }
    rect.c7, text.c7 { fill: var(--c7) } .curve.c7, line.c7 { stroke: var(--c7) }

    """
}
