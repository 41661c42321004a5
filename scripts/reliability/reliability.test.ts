import { describe, expect, it } from 'vitest'
import { readJUnit } from './junit.ts'
import { type Reliability, reliability } from './reliability.ts'
import { reliabilityPage } from './reliability-page.ts'
import { reliabilityText } from './reliability-text.ts'
import { readSimulator } from './simulator.ts'

/** As Vitest writes it. */
const xml = `<?xml version="1.0" encoding="UTF-8" ?>
<testsuites name="vitest tests" tests="6" failures="2" errors="1" time="12.5">
    <testsuite name="tests/pay.test.ts" timestamp="2026-03-04T05:06:07.000Z" hostname="vm" tests="4" failures="1" time="12">
        <testcase classname="tests/pay.test.ts" name="paying &gt; P1 F6 at S6 and S11: told &quot;at once&quot;" time="1.5">
            <properties>
                <property name="M6" value="50 rounds">
                </property>
            </properties>
        </testcase>
        <testcase classname="tests/pay.test.ts" name="paying &gt; P2 F7 at S11: asked again" time="0.5">
            <failure message="expected 2 to be 1" type="AssertionError">
AssertionError: &lt;/failure&gt; &lt;testcase&gt; M1 P3 in what a test wrote
            </failure>
        </testcase>
        <testcase classname="tests/pay.test.ts" name="paying &gt; F8 at S11: only in long runs" time="0">
            <skipped/>
        </testcase>
        <testcase classname="tests/pay.test.ts" name="200 rounds of paying &gt; T16 M6 a name is &lt;script&gt;alert(1)&lt;/script&gt;" time="10">
        </testcase>
    </testsuite>
    <testsuite name="vitest unhandled errors" timestamp="2026-03-04T05:06:09.000Z" hostname="vm" tests="1" failures="0" errors="1" time="0">
        <testcase classname="vitest unhandled errors" name="Error: late" time="0">
            <error message="late" type="Error">
            </error>
        </testcase>
    </testsuite>
</testsuites>`

const simulated = {
  seed: 7,
  purchases: 2000,
  episodes: 40,
  steps: 61_234,
  seconds: 88.2,
  faults: { F6: 312 },
  outcomes: { paid: 1610 },
  violations: ['<i>I4</i> at step 12'],
  bugs: [
    { name: 'amount not compared', foundAfter: 31 },
    { name: 'mail twice', foundAfter: null },
  ],
}

const reported = (): Reliability =>
  reliability({
    results: readJUnit(xml),
    simulator: readSimulator(JSON.stringify(simulated)),
    commit: 'abc1234567',
  })

const cell = ({ rows }: Reliability, name: string) =>
  rows.flatMap(({ cells }) => cells).find(({ id, state }) => id === name && state !== 'none')

describe('the report of what is proven', () => {
  it('reads what ran, failed and was left out, and believes no test’s own output', () => {
    const { tests, strays, writtenAt } = readJUnit(xml)
    expect(tests.map(({ title, state }) => [title.split(' > ')[1], state])).toEqual([
      ['P1 F6 at S6 and S11: told "at once"', 'passed'],
      ['P2 F7 at S11: asked again', 'failed'],
      ['F8 at S11: only in long runs', 'skipped'],
      ['T16 M6 a name is <script>alert(1)</script>', 'passed'],
    ])
    expect(tests[0]?.notes).toEqual([['M6', '50 rounds']])
    expect([strays, writtenAt?.toISOString()]).toEqual([1, '2026-03-04T05:06:09.000Z'])
  })

  it('counts a claim only where a test of it ran, and ran well', () => {
    const report = reported()
    expect(report.counts).toMatchObject({ tests: 4, passed: 2, failed: 2, skipped: 1, files: 1, seconds: 12 })
    const states = Object.fromEntries(report.promises.map(({ id, state }) => [id, state]))
    expect(states).toMatchObject({ P1: 'held', P2: 'failed', P3: 'missing' })
    expect(report.methods.find(({ id }) => id === 'M17')?.state).toBe('missing')
    expect(cell(report, 'F6 at S6')?.state).toBe('held')
    expect(cell(report, 'F7 at S11')?.state).toBe('failed')
    expect(cell(report, 'F8 at S11')?.state).toBe('missing')
    expect(cell(report, 'F21 at S16')?.state).toBe('later')
    expect(cell(report, 'F6 at S1')).toBeUndefined()
    expect(cell(report, 'F17')?.state).toBe('missing')
  })

  it('says how far each method went: by what its tests noted, and what the simulator tells', () => {
    const reached = Object.fromEntries(reported().methods.map(({ id, reached }) => [id, reached]))
    expect(reached.M6).toEqual(['50 rounds', '200 rounds of paying'])
    expect(reached.M1).toEqual(['2,000 purchases, 61,234 steps, violations: 1, 88 s, seed 7'])
    expect(reached.M2).toEqual(['1 of 2 planted bugs found, the last after 31 purchases'])
    expect(readSimulator('{"seed": 1')).toBeNull()
    const summary = { seed: 1, purchases: 1, steps: 2, seconds: 3, counts: { crashes: 4 }, failures: [{ episode: 5 }] }
    expect(readSimulator(JSON.stringify(summary))).toMatchObject({ seed: '1', violations: [{ episode: 5 }] })
  })

  it('is a page without script, where everything that was read is text', () => {
    const page = reliabilityPage(reported())
    expect(page).not.toMatch(/<script|<i>|\son\w+=|https?:/)
    expect(page).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    expect(ids).toHaveLength(new Set(ids).size)
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(targets.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('is a text with a line for every fault, promise and threat', () => {
    const text = reliabilityText(reported())
    expect(text).toContain('2 passed, 2 failed, 1 left out')
    for (const { id, state } of reported().rows.flatMap(({ cells }) => cells)) {
      if (state !== 'none') expect(text).toMatch(new RegExp(`^${id.split(' ')[0]} `, 'm'))
    }
    for (const { id } of [...reported().promises, ...reported().threats]) expect(text).toContain(` ${id} `)
  })
})
