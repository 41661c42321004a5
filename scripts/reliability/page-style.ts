/** Of the page alone: it is one file that can be kept, sent and printed. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(oklch(0.99 0.003 165), oklch(0.185 0.012 178));
  --surface: light-dark(oklch(0.963 0.007 165), oklch(0.228 0.014 178));
  --ink: light-dark(oklch(0.235 0.022 180), oklch(0.945 0.008 165));
  --soft: light-dark(oklch(0.46 0.018 180), oklch(0.76 0.014 170));
  --line: light-dark(oklch(0.895 0.008 170), oklch(0.32 0.014 178));
  --accent: light-dark(oklch(0.385 0.07 172), oklch(0.85 0.048 168));
  --good: light-dark(oklch(0.93 0.045 160), oklch(0.34 0.055 165));
  --bad: light-dark(oklch(0.5 0.17 27), oklch(0.78 0.12 27));
  --bad-ground: light-dark(oklch(0.94 0.04 27), oklch(0.33 0.07 27));
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; text-size-adjust: none; }
body {
  margin: 0 auto; padding: clamp(1rem, 4vw, 3rem); max-width: 76rem;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
h1, h2, h3 { line-height: 1.2; text-wrap: balance; overflow-wrap: break-word; }
h1 { margin: 0; font-size: clamp(1.8rem, 1.4rem + 2vw, 2.6rem); letter-spacing: -0.02em; }
h2 { margin: 3.5rem 0 0.5rem; font-size: 1.45rem; }
h3 { margin: 2.25rem 0 0.5rem; padding-block-end: 0.35rem; border-block-end: 1px solid var(--line); font-size: 1.05rem; }
h4 { margin: 1rem 0 0.15rem; font-size: 0.95rem; }
p { margin: 0.4rem 0; max-width: 68ch; }
a { color: var(--accent); text-underline-offset: 0.2em; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.soft { color: var(--soft); }
.skip { position: absolute; inset-inline-start: -99rem; }
.skip:focus { position: static; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 1.25rem 0 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding-block: 0.25rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 0.75rem; margin: 1.5rem 0 0; }
.figures div { padding: 0.75rem 1rem; border-radius: 0.6rem; background: var(--surface); }
.figures dt { color: var(--soft); font-size: 0.875rem; }
.figures dd { margin: 0; font-size: 1.5rem; line-height: 1.25; font-weight: 600; }
.figures .alarm { background: var(--bad-ground); }
.wide { overflow-x: auto; margin: 1rem 0; border: 1px solid var(--line); border-radius: 0.6rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.4rem 0.6rem; text-align: start; vertical-align: top; }
tr + tr > *, tbody tr > * { border-block-start: 1px solid var(--line); }
thead th { color: var(--soft); font-size: 0.8rem; font-weight: 600; }
.grid { width: auto; min-width: 100%; font-size: 0.85rem; }
.grid th, .grid td { padding: 0.2rem 0.25rem; text-align: center; }
.grid tbody th { position: sticky; inset-inline-start: 0; padding-inline: 0.6rem; background: var(--ground); text-align: start; font-weight: 400; white-space: nowrap; z-index: 1; }
.grid tbody th small { display: inline-block; max-width: 21rem; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; color: var(--soft); font-size: 0.8rem; }
.grid td > * { display: block; min-width: 2.1rem; padding: 0.2rem; border-radius: 0.3rem; text-decoration: none; }
.held { background: var(--good); color: var(--ink); }
.failed, .missing { background: var(--bad-ground); color: var(--bad); font-weight: 700; }
.beyond { color: var(--accent); box-shadow: inset 0 0 0 1px var(--line); }
.later { color: var(--soft); background: var(--surface); }
.none { color: var(--line); }
.state { display: inline-block; padding: 0 0.5rem; border-radius: 1rem; font-size: 0.8rem; white-space: nowrap; }
.legend { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; margin: 0.75rem 0; padding: 0; list-style: none; font-size: 0.875rem; }
.claims { margin: 1rem 0; }
.claims dt { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.15rem 0.6rem; margin-block-start: 1.1rem; }
.claims dt b { min-width: 2.2rem; }
.claims dt span:nth-child(2) { flex: 1 1 16rem; }
.claims dd { margin: 0.15rem 0 0; }
.tests { margin: 0.25rem 0 0; padding-inline-start: 1.1rem; font-size: 0.875rem; }
.tests li::marker { color: var(--soft); content: '· '; }
.tests .no::marker { color: var(--bad); content: '✕ '; }
.tests .skipped::marker { content: '○ '; }
.tests code { color: var(--soft); font-size: 0.92em; }
summary { width: fit-content; padding-block: 0.2rem; color: var(--accent); font-size: 0.9rem; cursor: pointer; }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
.methods th { white-space: nowrap; }
@media (max-width: 40rem) {
  .grid tbody th small { display: none; }
  .methods thead { position: absolute; clip-path: inset(50%); }
  .methods tr, .methods td, .methods th { display: block; border: 0; padding-block: 0.1rem; }
  .methods tr { padding-block: 0.6rem; border-block-start: 1px solid var(--line); }
  .methods td[data-is]::before { content: attr(data-is) ': '; color: var(--soft); }
}
@media print {
  body { max-width: none; padding: 0; font-size: 9pt; background: #fff; color: #000; }
  nav, .skip { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  summary { display: none; }
  .wide { overflow: visible; border: 0; }
  .grid { font-size: 6.5pt; } .grid tbody th { position: static; } .grid tbody th small { max-width: 9rem; }
  .grid td > * { min-width: 0; }
  h2, h3, h4, .claims dt { break-after: avoid; } tr, .claims dd > p { break-inside: avoid; }
  .held, .failed, .missing, .later { print-color-adjust: exact; }
}
`
