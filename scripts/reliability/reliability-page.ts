import { steps } from '../../tests/recovery/matrix/fault-matrix.ts'
import type { Ran } from './junit.ts'
import { html, Markup } from './markup.ts'
import { pageStyle } from './page-style.ts'
import { type Claim, columns, figure, type Method, noStep, type Reliability, type State } from './reliability.ts'
import type { SimulatorReport } from './simulator.ts'
import { minutes, stateWords, testCount } from './state-labels.ts'

/** One page for people, without script: what ran, what it proves, and what is not proven. */
export function reliabilityPage(report: Reliability): string {
  const { commit, writtenAt } = report
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vitrine: what is proven</title>
<style>${new Markup(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header>
<h1>What is proven</h1>
<p class="soft">Vitrine, commit <code>${commit}</code>, tests of ${writtenAt ? html`<time datetime="${writtenAt.toISOString()}">${writtenAt.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>` : 'an unknown time'}. Each claim below is held by the tests that name it; a claim counts only when they ran.</p>
<nav aria-label="Parts of this page"><ul>${[
    ['promises', 'Promises'],
    ['faults', 'Faults'],
    ['methods', 'Methods'],
    ['threats', 'Threats'],
    ['invariants', 'Invariants'],
    ['runs', 'The run'],
    ['cells', 'Tests by fault'],
  ].map(([id, words]) => html`<li><a href="#${id}">${words}</a></li>`)}</ul></nav>
</header>
<main id="main">
<dl class="figures">${figures(report).map(([name, value, alarm]) => html`<div${alarm}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<section aria-labelledby="promises"><h2 id="promises">Promises</h2>${claimList(report.promises)}</section>
<section aria-labelledby="faults"><h2 id="faults">Faults, by the step of a purchase they strike</h2>
<p>A figure is the number of tests of a cell and leads to their list.</p>
${legend()}${grid(report)}</section>
<section aria-labelledby="methods"><h2 id="methods">Methods</h2>${methodTable(report.methods)}${simulated(report.simulator)}</section>
<section aria-labelledby="threats"><h2 id="threats">Threats</h2>${claimList(report.threats)}</section>
<section aria-labelledby="invariants"><h2 id="invariants">Invariants</h2>${claimList(report.invariants)}</section>
<section aria-labelledby="runs"><h2 id="runs">The run</h2>${theRun(report)}</section>
<section aria-labelledby="cells"><h2 id="cells">Tests by fault</h2>${report.rows.map(
    (row) =>
      html`<h3 id="${row.id}">${row.id}: ${row.what}</h3>${row.cells.filter(({ state }) => state !== 'none').map(cellList)}`,
  )}</section>
</main>
</body>
</html>
`.text
}

function figures({ counts }: Reliability): readonly (readonly [name: string, value: string, alarm?: false | Markup])[] {
  return [
    ['Tests', figure(counts.tests)],
    ['Passed', figure(counts.passed)],
    ['Failed', figure(counts.failed), counts.failed > 0 && new Markup(' class="alarm"')],
    ['Left out', figure(counts.skipped)],
    ['Time of all tests', minutes(counts.seconds)],
  ]
}

const anchor = (id: string) => id.replace(' at ', '-')
const badge = (state: State) =>
  html`<span class="state ${state}">${stateWords[state].sign} ${stateWords[state].words}</span>`

function claimList(claims: readonly Claim[]): Markup {
  return html`<dl class="claims">${claims.map(
    ({ id, what, state, tests, why }) => html`<dt id="${id}"><b>${id}</b><span>${what}</span>${badge(state)}</dt>
<dd>${why && html`<p class="soft">${why}</p>`}${folded(tests)}</dd>`,
  )}</dl>`
}

/** Long lists are opened by who wants them; paper shows them all. */
function folded(tests: readonly Ran[]): Markup | null {
  if (tests.length <= 4) return testList(tests)
  return html`<details><summary>${testCount(tests.length)}</summary>${testList(tests)}</details>`
}

function testList(tests: readonly Ran[]): Markup | null {
  if (tests.length === 0) return null
  return html`<ul class="tests">${tests.map(({ title, file, state }) => {
    const kind = state === 'failed' ? 'no' : state
    const aside = state === 'passed' ? '' : ` (${state})`
    return html`<li class="${kind}">${title}${aside} <code>${file}</code></li>`
  })}</ul>`
}

function legend(): Markup {
  return html`<ul class="legend" aria-label="Signs">${Object.entries(stateWords).map(
    ([state, { sign, means }]) => html`<li><span class="state ${state}">${sign}</span> ${means}</li>`,
  )}</ul>`
}

function grid({ rows }: Reliability): Markup {
  return html`<div class="wide" role="region" aria-labelledby="faults" tabindex="0"><table class="grid">
<thead><tr><th scope="col">Fault</th>${columns.map((column) => html`<th scope="col"><abbr title="${column === noStep ? 'belongs to no step' : steps[column as keyof typeof steps]}">${column}</abbr></th>`)}</tr></thead>
<tbody>${rows.map(
    ({
      id,
      what,
      cells,
    }) => html`<tr><th scope="row"><a href="#${id}">${id}</a> <small title="${what}">${what}</small></th>${cells.map(
      (cell) => html`<td>${cellSign(cell)}</td>`,
    )}</tr>
`,
  )}</tbody></table></div>`
}

function cellSign({ id, state, tests }: Claim): Markup {
  const { sign, words } = stateWords[state]
  if (state === 'none') return html`<span class="none" aria-hidden="true">${sign}</span>`
  const shown = tests.length > 0 && state !== 'failed' ? String(tests.length) : sign
  return html`<a class="${state}" href="#${anchor(id)}" aria-label="${id}: ${words}, ${testCount(tests.length)}">${shown}</a>`
}

function cellList({ id, what, state, tests, why }: Claim): Markup {
  const step = id.split(' at ')[1]
  return html`<h4 id="${anchor(id) + (step ? '' : '-none')}">${step ? `${step}, ${what}` : what} ${badge(state)}</h4>
${why && html`<p class="soft">${why}</p>`}${testList(tests)}`
}

function methodTable(methods: readonly Method[]): Markup {
  return html`<div class="wide"><table class="methods">
<thead><tr><th scope="col">Id</th><th scope="col">How</th><th scope="col">At every change</th><th scope="col">In a night</th><th scope="col">Reached</th><th scope="col">State</th></tr></thead>
<tbody>${methods.map(({ id, what, change, night, reached, state, tests, seconds, why }) => {
    const ran = tests.length > 0 ? [`${testCount(tests.length)} in ${minutes(seconds)}`] : []
    return html`<tr id="${id}"><th scope="row">${id}</th><td>${what}</td><td data-is="At every change">${change}</td><td data-is="In a night">${night}</td><td data-is="Reached">${[...reached, ...ran].join('; ') || why || 'nothing'}</td><td>${badge(state)}</td></tr>
`
  })}</tbody></table></div>${methods
    .filter(({ tests }) => tests.length > 0)
    .map(({ id, what, tests }) => html`<h3>${id}: ${what}</h3>${folded(tests)}`)}`
}

function simulated(simulator: SimulatorReport | null): Markup {
  if (!simulator) return html`<h3>The simulator</h3><p>It has left no report of a run.</p>`
  const { seed, purchases, steps: taken, seconds, violations, bugs } = simulator
  const lists = { Faults: simulator.faults, Ends: simulator.outcomes, 'What happened': simulator.counts }
  const counted = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${figure(count)}`)
      .join(', ')
  return html`<h3>The simulator</h3>
<p>Seed <code>${seed}</code>: ${figure(purchases)} purchases in ${figure(taken)} steps and ${minutes(seconds)}, ${violations.length === 0 ? 'and no invariant was ever broken' : `with ${violations.length} broken ${violations.length === 1 ? 'invariant' : 'invariants'}`}.</p>
${Object.entries(lists).map(([name, counts]) => Object.keys(counts).length > 0 && html`<p>${name}: ${counted(counts)}.</p>`)}
${violations.length > 0 && html`<ul class="tests">${violations.map((violation) => html`<li class="no">${typeof violation === 'string' ? violation : JSON.stringify(violation)}</li>`)}</ul>`}
${bugs.length > 0 && html`<h4>Planted bugs</h4><ul class="tests">${bugs.map(({ name, foundAfter }) => html`<li class="${foundAfter === null ? 'no' : ''}">${name}: ${foundAfter === null ? 'not found' : `found after ${figure(foundAfter)} purchases`}</li>`)}</ul>`}`
}

function theRun({ failed, counts }: Reliability): Markup {
  return html`<p>${testCount(counts.tests)} in ${figure(counts.files)} files. No test is tried a second time.</p>
${failed.length > 0 && html`<h3>Failed</h3>${testList(failed)}`}`
}
