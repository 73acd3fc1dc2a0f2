/** The style of the start page: one column, light and dark by the reader's choice, readable on a phone. */
export const style = `
:root {
  color-scheme: light dark;
  --ink: #1b1f24; --quiet: #57606a; --line: #d5dae0; --paper: #ffffff; --panel: #f4f6f8; --accent: #0b5cad;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --quiet: #9aa5b1; --line: #353c45; --paper: #14181d; --panel: #1d232a; --accent: #7ab7f5; }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem;
  font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper);
}
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .6rem; }
h3 { font-size: .95rem; margin: 1.1rem 0 .35rem; }
p { margin: 0 0 .75rem; max-width: 46rem; }
a { color: var(--accent); }
.quiet { color: var(--quiet); }
code, pre { font: .875rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre {
  margin: 0 0 .75rem; padding: .75rem .9rem; overflow-x: auto;
  background: var(--panel); border: 1px solid var(--line); border-radius: .4rem;
}
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-size: .8rem; font-weight: 600; color: var(--quiet); white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td code { overflow-wrap: anywhere; }
table.narrow { width: auto; min-width: 55%; }
td:first-child code, td.method code { white-space: nowrap; }
td.id code { white-space: nowrap; overflow-wrap: normal; }
.on { font-weight: 650; }
details { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; padding: .45rem 0; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
details ul { list-style: none; margin: 0 0 .7rem; padding: 0 0 0 1.1rem; }
details li { display: flex; gap: .8rem; }
details li code:first-child { flex: 0 0 4rem; color: var(--quiet); }
details li code:last-child { overflow-wrap: anywhere; }
`;
