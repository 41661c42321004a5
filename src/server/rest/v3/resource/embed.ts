import type { V3Context } from './v3-call.ts'
import { V3Error } from './v3-error.ts'
import type { V3Links } from './v3-resource.ts'

/** Reads one record of a group with its links. `embed`: for a record that links to it. */
type EmbedReader = (context: V3Context, id: string, form: 'view' | 'embed') => Promise<unknown>

/** Each group that has records, by the pattern of their addresses below `wc/v3`. */
const readers: { readonly address: RegExp; readonly members: readonly string[]; readonly read: EmbedReader }[] = []

/** More distinct records are not embedded in one answer. */
const mostEmbedded = 500

/** Makes the records of a group embeddable. @param path `products/:product_id/variations` */
export function declareEmbeddable(path: string, read: EmbedReader): void {
  const members = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const address = new RegExp(`^wc/v3/${path.replace(/:\w+/g, '([^/]+)')}/([^/]+)$`)
  readers.push({ address, members, read })
}

/** `_embed`: true for every relation, else the relations by name. */
export type EmbedChoice = true | readonly string[]

/**
 * Returns a function that resolves the embeddable links of records. Each record is read once for all of them.
 * @param choice undefined: nothing is embedded
 */
export function embedder(context: V3Context, choice: EmbedChoice | undefined) {
  const known = new Map<string, Promise<unknown>>()
  const read = (href: string) => {
    const reading = known.get(href) ?? (known.size < mostEmbedded ? readAddress(context, href) : undefined)
    if (reading) known.set(href, reading)
    return reading
  }
  /** Returns the embedded records by relation; undefined: there are none. */
  return async (links: V3Links | undefined): Promise<Readonly<Record<string, readonly unknown[]>> | undefined> => {
    if (choice === undefined || !links) return undefined
    const embedded: [string, readonly unknown[]][] = []
    for (const [relation, targets] of Object.entries(links)) {
      if (choice !== true && !choice.includes(relation)) continue
      const records: unknown[] = []
      for (const { href, embeddable } of targets) {
        const record = embeddable ? await read(href) : undefined
        if (record !== undefined) records.push(record)
      }
      if (records.length > 0) embedded.push([relation, records])
    }
    return embedded.length > 0 ? Object.fromEntries(embedded) : undefined
  }
}

/** A record that is gone is embedded as its error, as in the interface. */
async function readAddress(context: V3Context, href: string): Promise<unknown> {
  try {
    return await readRecord(context, href, 'embed')
  } catch (error) {
    if (!(error instanceof V3Error)) throw error
    return error.body
  }
}

/**
 * Reads the record of an address below the API's root: `wc/v3/orders/12`.
 * @returns undefined if no group has such addresses
 * @throws V3Error where its group does
 */
export async function readRecord(context: V3Context, href: string, form: 'view' | 'embed'): Promise<unknown> {
  for (const { address, members, read } of readers) {
    const values = address.exec(href)?.slice(1)
    if (!values) continue
    const path = Object.fromEntries(members.map((name, index) => [name, values[index] ?? '']))
    return read({ ...context, path }, decodeURIComponent(values.at(-1) ?? ''), form)
  }
  return undefined
}
