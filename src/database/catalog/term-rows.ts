import { type Kysely, type RawBuilder, sql } from 'kysely'
import { listOf } from '../engine/array-parameter.ts'
import type { Schema } from '../engine/schema/schema.ts'
import type { RestImage } from './rest-products.ts'

type Tx = Kysely<Schema>

/** Kinds of terms that products are filed under. Categories and brands form trees and have an image. */
export type TermKind = 'categories' | 'tags' | 'brands' | 'shipping_classes'

export type TermRow = {
  id: number
  name: string
  slug: string
  description: string
  count: number
  parent_id: number | null
  position: number
  image: RestImage | null
}

export type TermFilter = {
  readonly search: string
  readonly include: readonly number[]
  readonly exclude: readonly number[]
  readonly slugs: readonly string[]
  readonly hideEmpty: boolean
  readonly product: number | null
  /** Null: top terms only; undefined: all. */
  readonly parent?: number | null | undefined
}

export type TermSort = 'id' | 'include' | 'name' | 'slug' | 'description' | 'count' | 'menu_order'

const joins = {
  categories: { table: 'product_categories', column: 'category_id' },
  tags: { table: 'product_tags', column: 'tag_id' },
  brands: { table: 'product_brands', column: 'brand_id' },
} as const

const isTree = (kind: TermKind) => kind === 'categories' || kind === 'brands'

/** Published products of a term itself, without those of the terms below it. */
function productsOf(kind: TermKind, published = true): RawBuilder<unknown> {
  const shown = published ? sql`p.status = 'publish'` : sql`true`
  if (kind === 'shipping_classes') return sql`from products p where p.shipping_class = t.slug and ${shown}`
  const { table, column } = joins[kind]
  return sql`from ${sql.table(table)} has join products p on p.id = has.product_id
    where has.${sql.ref(column)} = t.id and ${shown}`
}

const columns = (kind: TermKind) => sql`t.id, t.name, t.slug, t.description,
  ${isTree(kind) ? sql`t.parent_id, t.position` : sql`null::bigint as parent_id, 0 as position`},
  ${
    isTree(kind)
      ? sql`(select json_build_object('id', i.id, 'hash', i.hash, 'source', i.source, 'alt', i.alt, 'widths', i.widths)
          from images i where i.id = t.image_id)`
      : sql`null::json`
  } as image,
  (select count(*)::int ${productsOf(kind)}) as count`

/** Returns one page of the filtered terms, and their total number. */
export async function listTerms(
  db: Tx,
  kind: TermKind,
  filter: TermFilter,
  { sort, descending, limit, offset }: { sort: TermSort; descending: boolean; limit: number; offset: number },
): Promise<{ total: number; terms: TermRow[] }> {
  const where = sql.join(conditions(kind, filter), sql` and `)
  const direction = descending ? sql`desc` : sql`asc`
  const orders: Readonly<Record<TermSort, RawBuilder<unknown>>> = {
    id: sql`id ${direction}`,
    include:
      filter.include.length > 0 ? sql`array_position(${[...filter.include]}::bigint[], id)` : sql`id ${direction}`,
    name: sql`name ${direction}, id`,
    slug: sql`slug ${direction}, id`,
    description: sql`description ${direction}, id`,
    count: sql`count ${direction}, id`,
    menu_order: sql`position ${direction}, name, id`,
  }
  const [counted, listed] = await Promise.all([
    sql<{ total: number }>`select count(*)::int as total from ${sql.table(kind)} t where ${where}`.execute(db),
    sql<TermRow>`select * from (select ${columns(kind)} from ${sql.table(kind)} t where ${where}) found
      order by ${orders[sort]} limit ${limit}::int offset ${offset}::int`.execute(db),
  ])
  return { total: counted.rows[0]?.total ?? 0, terms: listed.rows }
}

function conditions(kind: TermKind, filter: TermFilter): RawBuilder<unknown>[] {
  const { search, include, exclude, slugs, hideEmpty, product, parent } = filter
  const anywhere = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return [
    search === '' ? sql`true` : sql`(t.name ilike ${anywhere} or t.slug ilike ${anywhere})`,
    ...(include.length > 0 ? [sql`t.id = any(${listOf(include, 'bigint')})`] : []),
    ...(exclude.length > 0 ? [sql`t.id <> all(${listOf(exclude, 'bigint')})`] : []),
    ...(slugs.length > 0 ? [sql`t.slug = any(${listOf(slugs, 'text')})`] : []),
    ...(hideEmpty ? [sql`exists (select ${productsOf(kind)})`] : []),
    ...(product === null ? [] : [sql`exists (select ${productsOf(kind, false)} and p.id = ${product}::bigint)`]),
    ...(parent === undefined || !isTree(kind) ? [] : [sql`t.parent_id is not distinct from ${parent}::bigint`]),
  ]
}

export async function findTerm(db: Tx, kind: TermKind, id: number): Promise<TermRow | undefined> {
  const { rows } = await sql<TermRow>`
    select ${columns(kind)} from ${sql.table(kind)} t where t.id = ${id}::bigint`.execute(db)
  return rows[0]
}

/** Finds a term of the same name, in a tree below the same parent. @returns its id */
export async function findTermByName(
  db: Tx,
  kind: TermKind,
  name: string,
  parentId: number | null,
): Promise<number | undefined> {
  const inTree = isTree(kind) ? sql`and parent_id is not distinct from ${parentId}::bigint` : sql``
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(kind)} where lower(name) = lower(${name}) ${inTree} order by id limit 1`.execute(db)
  return rows[0]?.id
}

/** Returns the slug, with a number if another term has it. */
export async function freeTermSlug(db: Tx, kind: TermKind, wanted: string, ownId: number | null): Promise<string> {
  const base = wanted || 'term'
  const { rows } = await sql<{ slug: string }>`
    select slug from ${sql.table(kind)} where starts_with(slug, ${base}) and id is distinct from ${ownId}::bigint`.execute(
    db,
  )
  const taken = new Set(rows.map(({ slug }) => slug))
  if (!taken.has(base)) return base
  for (let number = 2; ; number += 1) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`
}

export type WrittenTerm = {
  name?: string
  slug?: string
  description?: string
  parent_id?: number | null
  position?: number
  image_id?: number | null
}

/** Inserts a term; in a tree it is the last of its parent unless it has a position. @returns its id */
export async function insertTerm(
  tx: Tx,
  kind: TermKind,
  term: WrittenTerm & { name: string; slug: string },
): Promise<number> {
  const { name, slug, description = '', parent_id: parent = null, image_id: image = null, position } = term
  const { rows } = isTree(kind)
    ? await sql<{ id: number }>`
        insert into ${sql.table(kind)} (name, slug, description, parent_id, image_id, position)
        values (${name}, ${slug}, ${description}, ${parent}::bigint, ${image}::bigint, coalesce(${position ?? null}::int,
          (select max(position) + 1 from ${sql.table(kind)} where parent_id is not distinct from ${parent}::bigint), 0))
        returning id`.execute(tx)
    : await sql<{ id: number }>`
        insert into ${sql.table(kind)} (name, slug, description) values (${name}, ${slug}, ${description})
        returning id`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`${kind} ${slug} was not stored`)
  return row.id
}

/** Changes a term. Products follow a shipping class by its slug. */
export async function updateTerm(tx: Tx, kind: TermKind, id: number, change: WrittenTerm): Promise<void> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  if (given.length === 0) return
  if (kind === 'shipping_classes' && change.slug !== undefined) {
    await sql`
      update products p set shipping_class = ${change.slug} from shipping_classes t
      where t.id = ${id}::bigint and p.shipping_class = t.slug and t.slug <> ${change.slug}`.execute(tx)
  }
  const assigned = given.map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await sql`update ${sql.table(kind)} set ${sql.join(assigned)} where id = ${id}::bigint`.execute(tx)
}

/** Deletes a term. Terms below it move up to its parent; products stay. */
export async function deleteTerm(tx: Tx, kind: TermKind, id: number): Promise<void> {
  if (isTree(kind)) {
    await sql`
      update ${sql.table(kind)} below set parent_id = gone.parent_id from ${sql.table(kind)} gone
      where gone.id = ${id}::bigint and below.parent_id = gone.id`.execute(tx)
  }
  if (kind === 'shipping_classes') {
    await sql`
      update products p set shipping_class = '' from shipping_classes t
      where t.id = ${id}::bigint and p.shipping_class = t.slug`.execute(tx)
  }
  await sql`delete from ${sql.table(kind)} where id = ${id}::bigint`.execute(tx)
}

/** Returns whether a term is the other one or lies below it. */
export async function isBelow(db: Tx, kind: 'categories' | 'brands', id: number, other: number): Promise<boolean> {
  const { rows } = await sql`
    with recursive up as (
      select id, parent_id from ${sql.table(kind)} where id = ${id}::bigint
      union select t.id, t.parent_id from ${sql.table(kind)} t join up on t.id = up.parent_id
    ) select id from up where id = ${other}::bigint`.execute(db)
  return rows.length > 0
}

/** Returns whether a shipping method has a cost for a shipping class. */
export async function hasClassCosts(db: Tx, slug: string): Promise<boolean> {
  const { rows } = await sql`
    select instance_id from shipping_methods where settings -> 'classCosts' ? ${slug} limit 1`.execute(db)
  return rows.length > 0
}
