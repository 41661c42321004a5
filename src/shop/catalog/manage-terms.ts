import { sql, type Transaction } from 'kysely'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { existingIds } from '#database/catalog/product-changes.ts'
import {
  deleteTerm,
  findTerm,
  findTermByName,
  freeTermSlug,
  hasClassCosts,
  insertTerm,
  isBelow,
  type TermKind,
  type TermRow,
  updateTerm,
  type WrittenTerm,
} from '#database/catalog/term-rows.ts'
import { advisoryLocks } from '#database/engine/advisory-locks.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { termFinder } from '../import/product-terms.ts'
import type { Tools } from '../shared/tools.ts'
import { cleanMarkup } from './clean-markup.ts'

type TermTools = Pick<Tools, 'db' | 'clock' | 'chance' | 'settings'>
type Tx = Transaction<Schema>

/** A term as it is written. Absent members stay, or have the usual value of a new term. */
export type TermInput = {
  readonly name?: string | undefined
  readonly slug?: string | undefined
  readonly description?: string | undefined
  /** 0: none. */
  readonly parent?: number | undefined
  readonly position?: number | undefined
  /** An image of the library; null: none. */
  readonly imageId?: number | null | undefined
}

export type TermRefusal =
  | { readonly reason: 'unknown' }
  | { readonly reason: 'exists'; readonly id: number }
  | { readonly reason: 'unknown-parent' | 'parent-below' | 'unknown-image' | 'slug-has-costs' }

export type TermResult = { readonly ok: true; readonly term: TermRow } | ({ readonly ok: false } & TermRefusal)

/** Creates a category, tag, brand or shipping class. Names are unique, in a tree below one parent. */
export function createTerm(tools: TermTools, kind: TermKind, input: TermInput & { name: string }): Promise<TermResult> {
  return write(tools, async (tx) => {
    const refusal = await check(tx, kind, input, null)
    if (refusal) return { ok: false, ...refusal }
    const slug = await slugFor(tools, tx, kind, input.slug || input.name, null)
    const id = await insertTerm(tx, kind, { ...columnsOf(kind, input), name: input.name, slug })
    return written(tx, kind, id)
  })
}

/** Changes a term; pages and listings that show it are rendered again. */
export function changeTerm(tools: TermTools, kind: TermKind, id: number, input: TermInput): Promise<TermResult> {
  return write(tools, async (tx) => {
    const before = await findTerm(tx, kind, id)
    if (!before) return { ok: false, reason: 'unknown' }
    const parent = input.parent ?? before.parent_id ?? 0
    const refusal = await check(tx, kind, { ...input, name: input.name ?? before.name, parent }, before)
    if (refusal) return { ok: false, ...refusal }
    const slug = input.slug ? await slugFor(tools, tx, kind, input.slug, before) : before.slug
    if (kind === 'shipping_classes' && slug !== before.slug && (await hasClassCosts(tx, before.slug)))
      return { ok: false, reason: 'slug-has-costs' }
    await updateTerm(tx, kind, id, {
      ...columnsOf(kind, input),
      ...(input.name === undefined ? {} : { name: input.name }),
      ...(slug === before.slug ? {} : { slug }),
    })
    return written(tx, kind, id)
  })
}

/** Deletes a term: its products stay, terms below it move up. @returns the term before its deletion */
export function removeTerm(tools: TermTools, kind: TermKind, id: number): Promise<TermResult> {
  return write(tools, async (tx) => {
    const term = await findTerm(tx, kind, id)
    if (!term) return { ok: false, reason: 'unknown' }
    await deleteTerm(tx, kind, id)
    return { ok: true, term }
  })
}

/** Writes in a transaction that waits for imports, which make terms as well. Every page may show a term. */
async function write(tools: TermTools, work: (tx: Tx) => Promise<TermResult>): Promise<TermResult> {
  return transaction(tools, async (tx) => {
    await sql`select pg_advisory_xact_lock(${advisoryLocks.productImport})`.execute(tx)
    const result = await work(tx)
    if (result.ok) await catalogChanged(tx)
    return result
  })
}

async function check(
  tx: Tx,
  kind: TermKind,
  { name = '', parent = 0, imageId }: TermInput,
  own: TermRow | null,
): Promise<TermRefusal | null> {
  if (kind === 'categories' || kind === 'brands') {
    if (parent && !(await findTerm(tx, kind, parent))) return { reason: 'unknown-parent' }
    if (parent && own && (await isBelow(tx, kind, parent, own.id))) return { reason: 'parent-below' }
    if (imageId && !(await existingIds(tx, 'images', [imageId])).has(imageId)) return { reason: 'unknown-image' }
  }
  const other = await findTermByName(tx, kind, name, parent || null)
  return other === undefined || other === own?.id ? null : { reason: 'exists', id: other }
}

async function slugFor(
  { settings }: Pick<Tools, 'settings'>,
  tx: Tx,
  kind: TermKind,
  text: string,
  own: TermRow | null,
): Promise<string> {
  const wanted = termFinder(settings.language).wantedSlug(text)
  return wanted === own?.slug ? wanted : freeTermSlug(tx, kind, wanted, own?.id ?? null)
}

function columnsOf(kind: TermKind, { description, parent, position, imageId }: TermInput): WrittenTerm {
  return {
    // Pages show it as it is.
    ...(description === undefined ? {} : { description: cleanMarkup(description) }),
    ...(kind === 'categories' || kind === 'brands'
      ? {
          ...(parent === undefined ? {} : { parent_id: parent || null }),
          ...(position === undefined ? {} : { position }),
          ...(imageId === undefined ? {} : { image_id: imageId }),
        }
      : {}),
  }
}

async function written(tx: Tx, kind: TermKind, id: number): Promise<TermResult> {
  const term = await findTerm(tx, kind, id)
  if (!term) throw new Error(`${kind} ${id} was not written`)
  return { ok: true, term }
}
