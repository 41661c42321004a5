import { type Kysely, sql } from 'kysely'
import type { Sql } from '../engine/driver/sql.ts'
import type { Schema } from '../engine/schema/schema.ts'

type Tx = Kysely<Schema>

/** Finds categories, brands, tags and attribute terms by name, and inserts missing ones. */

export type TreeKind = 'categories' | 'brands'
export type NewTreeTerm = { parentId: number | null; name: string; slug: string }

/** @returns the id of each category, in the order given. Parents must exist. */
export async function ensureCategories(tx: Tx, wanted: readonly NewTreeTerm[]): Promise<number[]> {
  const ids: number[] = []
  // One at a time: there are few, and each new slug must be visible to the next.
  for (const category of wanted) ids.push(await ensureTreeTerm(tx, 'categories', category))
  return ids
}

/**
 * Categories are found by their exact name, brands in upper or lower case.
 * @returns the id of the term below its parent, which must exist
 */
export async function ensureTreeTerm(tx: Tx, kind: TreeKind, { parentId, name, slug }: NewTreeTerm): Promise<number> {
  const table = sql.table(kind)
  const named = kind === 'brands' ? sql`lower(name) = lower(${name})` : sql`name = ${name}`
  const found = await sql<{ id: number }>`
    select id from ${table} where parent_id is not distinct from ${parentId}::bigint and ${named}
    order by name = ${name} desc, id limit 1`.execute(tx)
  if (found.rows[0]) return found.rows[0].id
  const free = await freeSlug(tx, kind, slug)
  const { rows } = await sql<{ id: number }>`
    insert into ${table} (parent_id, name, slug, position)
    select ${parentId}::bigint, ${name}, ${free},
      coalesce((select max(position) + 1 from ${table} where parent_id is not distinct from ${parentId}::bigint), 0)
    returning id`.execute(tx)
  return idOf(rows[0])
}

/** @returns tag ids by name */
export async function ensureTags(
  tx: Tx,
  wanted: readonly { name: string; slug: string }[],
): Promise<Map<string, number>> {
  const names = wanted.map(({ name }) => name)
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from tags where name = any(${names}::text[])`.execute(tx)
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  for (const { name, slug } of wanted) {
    if (ids.has(name)) continue
    const made = await sql<{ id: number }>`
      insert into tags (name, slug) values (${name}, ${await freeSlug(tx, 'tags', slug)}) returning id`.execute(tx)
    ids.set(name, idOf(made.rows[0]))
  }
  return ids
}

/** @returns the id of the shop-wide attribute with this slug (without pa_) */
export async function ensureAttribute(tx: Tx, name: string, slug: string): Promise<number> {
  const found = await sql<{ id: number }>`select id from attributes where slug = ${slug}`.execute(tx)
  if (found.rows[0]) return found.rows[0].id
  const { rows } = await sql<{ id: number }>`
    insert into attributes (name, slug) values (${name}, ${slug})
    on conflict (name) do update set name = excluded.name returning id`.execute(tx)
  return idOf(rows[0])
}

/** Returns the slugs of shop-wide attributes, without `pa_`, by name in lower case. */
export async function attributeSlugsByName(db: Sql): Promise<Map<string, string>> {
  const rows = await db<{ name: string; slug: string }[]>`select name, slug from attributes`
  return new Map(rows.map(({ name, slug }) => [name.toLowerCase(), slug]))
}

/** Returns the slugs of all attributes, shop-wide and of single products, without `pa_`. */
export async function takenAttributeSlugs(db: Sql): Promise<Set<string>> {
  const rows = await db<{ slug: string }[]>`
    select slug from attributes union select regexp_replace(slug, '^pa_', '') from product_attributes`
  return new Set(rows.map(({ slug }) => slug))
}

/** @returns slugs of terms by name in lower case */
export async function ensureAttributeTerms(
  tx: Tx,
  attributeId: number,
  wanted: readonly { name: string; slug: string }[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; slug: string }>`
    select name, slug from attribute_terms where attribute_id = ${attributeId}::bigint`.execute(tx)
  const slugs = new Map(rows.map(({ name, slug }) => [name.toLowerCase(), slug]))
  const taken = new Set(rows.map(({ slug }) => slug))
  for (const { name, slug } of wanted) {
    if (slugs.has(name.toLowerCase())) continue
    const free = firstFree(slug || 'term', taken)
    taken.add(free)
    slugs.set(name.toLowerCase(), free)
    await sql`
      insert into attribute_terms (attribute_id, name, slug, position)
      values (${attributeId}::bigint, ${name}, ${free}, ${taken.size - 1}::int)`.execute(tx)
  }
  return slugs
}

async function freeSlug(tx: Tx, table: TreeKind | 'tags', slug: string): Promise<string> {
  const base = slug || 'term'
  const { rows } = await sql<{ slug: string }>`
    select slug from ${sql.table(table)} where starts_with(slug, ${base})`.execute(tx)
  return firstFree(base, new Set(rows.map((row) => row.slug)))
}

function firstFree(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${base}-${number}`)) return `${base}-${number}`
  }
}

function idOf(row: { id: number } | undefined): number {
  if (!row) throw new Error('insert returned no row')
  return row.id
}
