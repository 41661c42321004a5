import { report } from './support/report.ts'
import { growthAnHour, soak } from './support/soak.ts'

/**
 * Does a shop that nobody restarts keep ever more memory, or files that nobody closed? Two hundred shoppers without an end; every
 * few minutes they rest, all garbage is collected, and what is left is read.
 *
 * SOAK_MINUTES is 480 unless told (eight hours), SOAK_ROUND 10, SOAK_THINK_MS 2000: less of it makes the requests of eight hours in
 * fewer. SOAK_WARM_MINUTES (0) go before at five times the pace: what is read after them is the growth of a shop whose caches are
 * full, in fewer hours. Not among those that `npm run bench` runs.
 */
const minutes = Number(process.env.SOAK_MINUTES ?? 480)
const roundMinutes = Number(process.env.SOAK_ROUND ?? 10)
const thinkMs = Number(process.env.SOAK_THINK_MS ?? 2_000)
const warmRounds = Math.round(Number(process.env.SOAK_WARM_MINUTES ?? 0) / roundMinutes)
const rounds = Math.max(4, Math.round(minutes / roundMinutes))

const { samples, orders, errors } = await soak(
  { rounds, roundSeconds: roundMinutes * 60, warmRounds, shoppers: 200, thinkMs },
  ({ hours, requests, liveMb, residentMb, files }) =>
    console.log(
      `${hours.toFixed(2)} h, ${requests} requests: ${liveMb.toFixed(1)} MB live, ${residentMb.toFixed(0)} MB resident, ${files} files`,
    ),
)
for (const error of new Set(errors)) console.error(error)
const last = samples.at(-1)
report('soak', [
  { what: 'soaked', value: last?.hours ?? 0, unit: 'h' },
  { what: 'requests', value: last?.requests ?? 0, unit: '' },
  { what: 'orders', value: orders, unit: '' },
  { what: 'errors', value: errors.length, unit: '', budget: { atMost: 0 } },
  {
    what: 'live memory, growth',
    value: growthAnHour(samples, ({ liveMb }) => liveMb),
    unit: 'MB/h',
    budget: { atMost: 1 },
  },
  { what: 'resident memory, growth', value: growthAnHour(samples, ({ residentMb }) => residentMb), unit: 'MB/h' },
  {
    what: 'open files, growth',
    value: growthAnHour(samples, ({ files }) => files),
    unit: 'an hour',
    budget: { atMost: 1 },
  },
])
