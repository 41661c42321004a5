/** A test that ran, or was left out of the run. */
export type Ran = {
  readonly file: string
  /** With the titles around it, ` > ` between them. */
  readonly title: string
  readonly seconds: number
  readonly state: 'passed' | 'failed' | 'skipped'
  /** What the test itself has noted: by the id of a method, how far it went. */
  readonly notes: readonly (readonly [name: string, text: string])[]
}

export type Results = {
  readonly tests: readonly Ran[]
  /** Errors outside every test. */
  readonly strays: number
  /** When the results were written; null where nothing ran. */
  readonly writtenAt: Date | null
}

/** What stands in a file of test results as Vitest writes it: everything between tags is escaped there. */
export function readJUnit(xml: string): Results {
  const tests: Ran[] = []
  let strays = 0
  for (const [, head = '', body = ''] of xml.matchAll(/<testcase\b([^>]*)>(.*?)<\/testcase>/gs)) {
    const { classname = '', name = '', time = '0' } = attributes(head)
    if (/<error[\s>]/.test(body)) {
      strays += 1
      continue
    }
    const state = /<failure[\s>]/.test(body) ? 'failed' : body.includes('<skipped/>') ? 'skipped' : 'passed'
    const notes = [...body.matchAll(/<property\b([^>]*)>/g)].map(([, note = '']) => {
      const { name: about = '', value = '' } = attributes(note)
      return [about, value] as const
    })
    tests.push({ file: classname, title: name, seconds: Number(time), state, notes })
  }
  const times = [...xml.matchAll(/<testsuite\b([^>]*)>/g)].map(([, head = '']) =>
    Date.parse(attributes(head).timestamp ?? ''),
  )
  const known = times.filter((time) => !Number.isNaN(time))
  return { tests, strays, writtenAt: known.length > 0 ? new Date(Math.max(...known)) : null }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function attributes(head: string): Record<string, string> {
  return Object.fromEntries(
    [...head.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replace(/&(\w+);/g, (whole, entity: string) => entities[entity] ?? whole),
    ]),
  )
}
