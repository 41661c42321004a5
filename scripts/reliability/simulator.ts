import { z } from 'zod'

const counts = z.record(z.string(), z.number())

const report = z
  .object({
    seed: z.union([z.number(), z.string()]).transform(String),
    purchases: z.number(),
    episodes: z.number().optional(),
    steps: z.number(),
    seconds: z.number(),
    faults: counts.default({}),
    outcomes: counts.default({}),
    /** Everything that happened, by name. */
    counts: counts.default({}),
    violations: z.array(z.unknown()).default([]),
    failures: z.array(z.unknown()).default([]),
    bugs: z.array(z.object({ name: z.string(), foundAfter: z.number().nullable() })).default([]),
  })
  .transform(({ failures, violations, ...rest }) => ({ ...rest, violations: [...violations, ...failures] }))

/** What the simulator tells about its last run. */
export type SimulatorReport = z.infer<typeof report>

/** @returns null for a text that is no report of the simulator */
export function readSimulator(text: string): SimulatorReport | null {
  try {
    return report.parse(JSON.parse(text))
  } catch {
    // Written by another version, or cut short: the page says that there is none.
    return null
  }
}
