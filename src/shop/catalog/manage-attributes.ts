import { sql, type Transaction } from 'kysely'
import {
  type AttributeRow,
  type AttributeTermRow,
  deleteAttribute,
  deleteAttributeTerm,
  findAttribute,
  findAttributeTerm,
  findSameAttribute,
  findSameTerm,
  insertAttribute,
  insertAttributeTerm,
  updateAttribute,
  updateAttributeTerm,
} from '#database/catalog/attribute-rows.ts'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { advisoryLocks } from '#database/engine/advisory-locks.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { attributeSlugs, termFinder } from '../import/product-terms.ts'
import type { Tools } from '../shared/tools.ts'

type AttributeTools = Pick<Tools, 'db' | 'clock' | 'chance' | 'settings'>
type Tx = Transaction<Schema>
type Refused = { readonly ok: false } & (
  | { readonly reason: 'unknown' | 'unknown-attribute' | 'no-slug' }
  | { readonly reason: 'exists'; readonly id: number }
)

export type AttributeResult = { readonly ok: true; readonly attribute: AttributeRow } | Refused
export type AttributeTermResult = { readonly ok: true; readonly term: AttributeTermRow } | Refused

/** A shop-wide attribute as it is written. `slug` may begin with `pa_`. */
export type AttributeInput = {
  readonly name?: string | undefined
  readonly slug?: string | undefined
  readonly sortOrder?: AttributeRow['sort_order'] | undefined
}

/** Creates a shop-wide attribute. Its name and its slug are unique. */
export async function createAttribute(
  tools: AttributeTools,
  input: AttributeInput & { name: string },
): Promise<AttributeResult> {
  const slugOf = await attributeSlugs(tools.db.sql, tools.settings.language)
  return write(tools, async (tx) => {
    const slug = slugOf(input.slug?.replace(/^pa_/, '') || input.name).slice(0, 100)
    if (slug === '') return { ok: false, reason: 'no-slug' }
    const other = await findSameAttribute(tx, { name: input.name, slug }, null)
    if (other !== undefined) return { ok: false, reason: 'exists', id: other }
    const id = await insertAttribute(tx, { name: input.name, slug, sort_order: input.sortOrder ?? 'menu_order' })
    return writtenAttribute(tx, id)
  })
}

/** Changes an attribute; products, variations and their pages follow. */
export async function changeAttribute(
  tools: AttributeTools,
  id: number,
  input: AttributeInput,
): Promise<AttributeResult> {
  const slugOf = await attributeSlugs(tools.db.sql, tools.settings.language)
  return write(tools, async (tx) => {
    const before = await findAttribute(tx, id)
    if (!before) return { ok: false, reason: 'unknown' }
    const given = input.slug?.replace(/^pa_/, '')
    const slug = given && given !== before.slug ? slugOf(given).slice(0, 100) : before.slug
    if (slug === '') return { ok: false, reason: 'no-slug' }
    const name = input.name ?? before.name
    const other = await findSameAttribute(tx, { name, slug }, id)
    if (other !== undefined) return { ok: false, reason: 'exists', id: other }
    await updateAttribute(tx, before, { name, slug, sort_order: input.sortOrder ?? before.sort_order })
    return writtenAttribute(tx, id)
  })
}

/** Deletes an attribute with its terms, also from products. @returns the attribute before its deletion */
export function removeAttribute(tools: AttributeTools, id: number): Promise<AttributeResult> {
  return write(tools, async (tx) => {
    const attribute = await findAttribute(tx, id)
    if (!attribute) return { ok: false, reason: 'unknown' }
    await deleteAttribute(tx, attribute)
    return { ok: true, attribute }
  })
}

export type AttributeTermInput = {
  readonly name?: string | undefined
  readonly slug?: string | undefined
  readonly description?: string | undefined
  readonly position?: number | undefined
}

/** Creates a term of a shop-wide attribute. Its name and its slug are unique there. */
export function createAttributeTerm(
  tools: AttributeTools,
  attributeId: number,
  input: AttributeTermInput & { name: string },
): Promise<AttributeTermResult> {
  const { wantedSlug } = termFinder(tools.settings.language)
  return write(tools, async (tx) => {
    if (!(await findAttribute(tx, attributeId))) return { ok: false, reason: 'unknown-attribute' }
    const slug = wantedSlug(input.slug || input.name)
    if (slug === '') return { ok: false, reason: 'no-slug' }
    const other = await findSameTerm(tx, attributeId, { name: input.name, slug }, null)
    if (other !== undefined) return { ok: false, reason: 'exists', id: other }
    const { name, description = '', position = null } = input
    return writtenTerm(
      tx,
      attributeId,
      await insertAttributeTerm(tx, attributeId, { name, slug, description, position }),
    )
  })
}

/** Changes a term; options of products and values of variations follow. */
export function changeAttributeTerm(
  tools: AttributeTools,
  attributeId: number,
  id: number,
  input: AttributeTermInput,
): Promise<AttributeTermResult> {
  const { wantedSlug } = termFinder(tools.settings.language)
  return write(tools, async (tx) => {
    const attribute = await findAttribute(tx, attributeId)
    if (!attribute) return { ok: false, reason: 'unknown-attribute' }
    const before = await findAttributeTerm(tx, attributeId, id)
    if (!before) return { ok: false, reason: 'unknown' }
    const slug = input.slug ? wantedSlug(input.slug) : before.slug
    if (slug === '') return { ok: false, reason: 'no-slug' }
    const { name = before.name, description = before.description, position = null } = input
    const other = await findSameTerm(tx, attributeId, { name, slug }, id)
    if (other !== undefined) return { ok: false, reason: 'exists', id: other }
    await updateAttributeTerm(tx, attribute, before, { name, slug, description, position })
    return writtenTerm(tx, attributeId, id)
  })
}

/** Deletes a term, also from the options of products. @returns the term before its deletion */
export function removeAttributeTerm(
  tools: AttributeTools,
  attributeId: number,
  id: number,
): Promise<AttributeTermResult> {
  return write(tools, async (tx) => {
    const attribute = await findAttribute(tx, attributeId)
    if (!attribute) return { ok: false, reason: 'unknown-attribute' }
    const term = await findAttributeTerm(tx, attributeId, id)
    if (!term) return { ok: false, reason: 'unknown' }
    await deleteAttributeTerm(tx, attribute, term)
    return { ok: true, term }
  })
}

/** Writes in a transaction that waits for imports, which make attributes as well. Every page may show one. */
async function write<Result extends { readonly ok: boolean }>(
  tools: AttributeTools,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return transaction(tools, async (tx) => {
    await sql`select pg_advisory_xact_lock(${advisoryLocks.productImport})`.execute(tx)
    const result = await work(tx)
    if (result.ok) await catalogChanged(tx)
    return result
  })
}

async function writtenAttribute(tx: Tx, id: number): Promise<AttributeResult> {
  const attribute = await findAttribute(tx, id)
  if (!attribute) throw new Error(`attribute ${id} was not written`)
  return { ok: true, attribute }
}

async function writtenTerm(tx: Tx, attributeId: number, id: number): Promise<AttributeTermResult> {
  const term = await findAttributeTerm(tx, attributeId, id)
  if (!term) throw new Error(`term ${id} was not written`)
  return { ok: true, term }
}
