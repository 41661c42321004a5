import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { missing, run } from './run.ts'

const { values } = parseArgs({
  options: {
    purchases: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    each: { type: 'string', default: '40' },
    workers: { type: 'string', default: String(availableParallelism() + 1) },
    episode: { type: 'string' },
    until: { type: 'string' },
    bug: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const summary = await run({
  seed,
  purchases: Number(values.purchases),
  each: Number(values.each),
  workers: Number(values.workers),
  episode: values.episode === undefined ? null : Number(values.episode),
  untilStep: values.until === undefined ? null : Number(values.until),
  bug: values.bug ?? null,
  seconds: null,
})
if (values.json) console.log(JSON.stringify(summary, null, 2))
else {
  for (const [what, times] of Object.entries(summary.counts).sort(([a], [b]) => a.localeCompare(b))) {
    console.log(`${String(times).padStart(8)}  ${what}`)
  }
  console.log(
    `${summary.purchases} purchases in ${summary.episodes} episodes, ${summary.steps} steps, ${summary.seconds} s, seed ${seed}`,
  )
  for (const { episode, steps, story, violations } of summary.failures) {
    console.log(`\nEpisode ${episode} broke a promise at step ${steps}:`)
    for (const line of story) console.log(line)
    for (const { rule, orderId, what } of violations)
      console.log(`${rule}${orderId === null ? '' : `, order ${orderId}`}: ${what}`)
    const bug = summary.bug ? ` --bug "${summary.bug}"` : ''
    console.log(
      `Again: node tests/simulator/main.ts --seed ${seed} --each ${values.each} --episode ${episode} --until ${steps}${bug}`,
    )
  }
}
const never =
  values.episode === undefined && summary.failures.length === 0 && values.bug === undefined ? missing(summary) : []
for (const what of never) console.log(`Never happened: ${what}`)
process.exitCode = summary.failures.length > 0 || never.length > 0 ? 1 : 0
