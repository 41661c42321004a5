import { dayRates, type RatesRead } from './rates.ts'

/** Nested element of a day's rates in the European Central Bank's XML. */
const cube = 'Cube'

/**
 * One piece of markup: a comment, an instruction, or a tag with its name, its attributes and whether it is empty. No
 * nested repetition: its time is linear in the length of the piece.
 */
const piece =
  /<(?:!--(?<comment>.*?)-->|\?(?<instruction>.*?)\?>|(?<end>\/)?(?<name>[A-Za-z_][\w.:-]*)(?<attributes>(?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/)?>)/sy
const attribute = /([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/**
 * Parses the reference rates of the European Central Bank in XML, with base euro; of several days (files of ninety days
 * and of all days) the newest. The parser supports this format only: a document type, and so every entity definition,
 * is rejected, and no entity is ever resolved.
 * @param text at most a megabyte; the caller has checked it
 */
export function readXmlRates(text: string): RatesRead {
  const days = new Map<string, [string, string][]>()
  const open: { name: string; day: string | null }[] = []
  let at = 0
  let seenRoot = false
  while (true) {
    const next = text.indexOf('<', at)
    if (next === -1) break
    piece.lastIndex = next
    const found = piece.exec(text)
    if (!found?.groups) return broken(text, next)
    at = piece.lastIndex
    const { comment, instruction, end, name = '', attributes = '', empty } = found.groups
    if (comment !== undefined || instruction !== undefined) continue
    const local = name.slice(name.indexOf(':') + 1)
    if (end) {
      if (open.pop()?.name !== name || attributes !== '' || empty) return broken(text, next)
      continue
    }
    if (open.length === 0 && seenRoot) return broken(text, next)
    seenRoot = true
    if (open.length >= maxDepth) return broken(text, next)
    const of = local === cube ? attributesIn(attributes) : noAttributes
    const day = of.get('time') ?? open.at(-1)?.day ?? null
    const [code, figure] = [of.get('currency'), of.get('rate')]
    if (code !== undefined && figure !== undefined) {
      if (day === null) return { ok: false, fault: 'a rate stands outside of any day' }
      const row = days.get(day)
      if (row) row.push([code, figure])
      else days.set(day, [[code, figure]])
    }
    if (!empty) open.push({ name, day })
  }
  if (!seenRoot || open.length > 0) return { ok: false, fault: 'the XML ends too early' }
  // Days in one format sort as text, and an invalid one is rejected below.
  const newest = [...days.keys()].sort().at(-1)
  if (newest === undefined) return { ok: false, fault: 'there are no rates in it' }
  return dayRates('EUR', newest, days.get(newest) ?? [])
}

const maxDepth = 20
const noAttributes: ReadonlyMap<string, string> = new Map()

function attributesIn(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(attribute)].map(([, name = '', double, single]) => [name, double ?? single ?? '']))
}

function broken(text: string, at: number): RatesRead {
  if (/^<!DOCTYPE/i.test(text.slice(at, at + 9))) return { ok: false, fault: 'XML with a document type is not read' }
  const line = text.slice(0, at).split('\n').length
  return { ok: false, fault: `it is no sound XML at line ${line}` }
}
