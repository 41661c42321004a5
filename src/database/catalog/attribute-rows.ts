import { type Kysely, type RawBuilder, sql } from 'kysely'
import { listOf } from '../engine/array-parameter.ts'
import type { Row, Schema } from '../engine/schema/schema.ts'
import type { TermFilter, TermSort } from './term-rows.ts'

type Tx = Kysely<Schema>

/** Shop-wide attributes and their terms. Slugs of attributes are without `pa_`. */

export type AttributeRow = Row<'attributes'>

export async function listAttributes(
  db: Tx,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; attributes: AttributeRow[] }> {
  const [counted, attributes] = await Promise.all([
    sql<{ total: number }>`select count(*)::int as total from attributes`.execute(db),
    db.selectFrom('attributes').selectAll().orderBy('id').limit(limit).offset(offset).execute(),
  ])
  return { total: counted.rows[0]?.total ?? 0, attributes }
}

export async function findAttribute(db: Tx, id: number): Promise<AttributeRow | undefined> {
  return db.selectFrom('attributes').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds another attribute with this name or slug. */
export async function findSameAttribute(
  db: Tx,
  { name, slug }: { name: string; slug: string },
  ownId: number | null,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from attributes where (lower(name) = lower(${name}) or slug = ${slug}) and id is distinct from ${ownId}::bigint
    order by id limit 1`.execute(db)
  return rows[0]?.id
}

export async function insertAttribute(
  tx: Tx,
  attribute: { name: string; slug: string; sort_order: AttributeRow['sort_order'] },
): Promise<number> {
  const { id } = await tx.insertInto('attributes').values(attribute).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Changes an attribute; products and variations follow its slug and its name. */
export async function updateAttribute(
  tx: Tx,
  before: AttributeRow,
  { name, slug, sort_order }: { name: string; slug: string; sort_order: AttributeRow['sort_order'] },
): Promise<void> {
  await tx.updateTable('attributes').set({ name, slug, sort_order }).where('id', '=', before.id).execute()
  const [old, wire] = [`pa_${before.slug}`, `pa_${slug}`]
  await sql`
    update product_attributes set name = ${name}, slug = ${wire}
    where attribute_id = ${before.id}::bigint and (name, slug) <> (${name}, ${wire})`.execute(tx)
  if (old !== wire) await sql`update variation_attributes set slug = ${wire} where slug = ${old}`.execute(tx)
}

/** Deletes an attribute with its terms, also from products and variations. */
export async function deleteAttribute(tx: Tx, { id, slug }: AttributeRow): Promise<void> {
  await sql`delete from variation_attributes where slug = ${`pa_${slug}`}`.execute(tx)
  await tx.deleteFrom('product_attributes').where('attribute_id', '=', id).execute()
  await tx.deleteFrom('attributes').where('id', '=', id).execute()
}

export type AttributeTermRow = {
  id: number
  name: string
  slug: string
  description: string
  position: number
  count: number
}

/** Published products with the term. Needs `t` to be the term, `a` its attribute. */
const productsOf = sql`from product_attributes has join products p on p.id = has.product_id
  where has.attribute_id = a.id and t.slug = any(has.options)`

const termColumns = sql`t.id, t.name, t.slug, t.description, t.position,
  (select count(*)::int ${productsOf} and p.status = 'publish') as count`

/** Returns one page of an attribute's terms, and their total number. */
export async function listAttributeTerms(
  db: Tx,
  attributeId: number,
  filter: Omit<TermFilter, 'parent'>,
  { sort, descending, limit, offset }: { sort: TermSort; descending: boolean; limit: number; offset: number },
): Promise<{ total: number; terms: AttributeTermRow[] }> {
  const { search, include, exclude, slugs, hideEmpty, product } = filter
  const anywhere = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const where = sql.join(
    [
      sql`t.attribute_id = ${attributeId}::bigint`,
      ...(search === '' ? [] : [sql`(t.name ilike ${anywhere} or t.slug ilike ${anywhere})`]),
      ...(include.length > 0 ? [sql`t.id = any(${listOf(include, 'bigint')})`] : []),
      ...(exclude.length > 0 ? [sql`t.id <> all(${listOf(exclude, 'bigint')})`] : []),
      ...(slugs.length > 0 ? [sql`t.slug = any(${listOf(slugs, 'text')})`] : []),
      ...(hideEmpty ? [sql`exists (select ${productsOf} and p.status = 'publish')`] : []),
      ...(product === null ? [] : [sql`exists (select ${productsOf} and p.id = ${product}::bigint)`]),
    ],
    sql` and `,
  )
  const direction = descending ? sql`desc` : sql`asc`
  const orders: Readonly<Record<TermSort, RawBuilder<unknown>>> = {
    id: sql`id ${direction}`,
    include: include.length > 0 ? sql`array_position(${[...include]}::bigint[], id)` : sql`id ${direction}`,
    name: sql`name ${direction}, id`,
    slug: sql`slug ${direction}, id`,
    description: sql`description ${direction}, id`,
    count: sql`count ${direction}, id`,
    menu_order: sql`position ${direction}, id`,
  }
  const from = sql`attribute_terms t join attributes a on a.id = t.attribute_id`
  const [counted, listed] = await Promise.all([
    sql<{ total: number }>`select count(*)::int as total from ${from} where ${where}`.execute(db),
    sql<AttributeTermRow>`select * from (select ${termColumns} from ${from} where ${where}) found
      order by ${orders[sort]} limit ${limit}::int offset ${offset}::int`.execute(db),
  ])
  return { total: counted.rows[0]?.total ?? 0, terms: listed.rows }
}

export async function findAttributeTerm(
  db: Tx,
  attributeId: number,
  id: number,
): Promise<AttributeTermRow | undefined> {
  const { rows } = await sql<AttributeTermRow>`
    select ${termColumns} from attribute_terms t join attributes a on a.id = t.attribute_id
    where t.id = ${id}::bigint and t.attribute_id = ${attributeId}::bigint`.execute(db)
  return rows[0]
}

/** Finds another term of the attribute with this name or slug. */
export async function findSameTerm(
  db: Tx,
  attributeId: number,
  { name, slug }: { name: string; slug: string },
  ownId: number | null,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from attribute_terms where attribute_id = ${attributeId}::bigint
      and (lower(name) = lower(${name}) or slug = ${slug}) and id is distinct from ${ownId}::bigint
    order by id limit 1`.execute(db)
  return rows[0]?.id
}

type WrittenTerm = { name: string; slug: string; description: string; position: number | null }

/** Inserts a term, as the last one unless it has a position. @returns its id */
export async function insertAttributeTerm(tx: Tx, attributeId: number, term: WrittenTerm): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into attribute_terms (attribute_id, name, slug, description, position)
    values (${attributeId}::bigint, ${term.name}, ${term.slug}, ${term.description}, coalesce(${term.position}::int,
      (select max(position) + 1 from attribute_terms where attribute_id = ${attributeId}::bigint), 0))
    returning id`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`term ${term.slug} was not stored`)
  return row.id
}

/** Changes a term; options of products and values of variations follow its slug. */
export async function updateAttributeTerm(
  tx: Tx,
  attribute: AttributeRow,
  before: AttributeTermRow,
  { name, slug, description, position }: WrittenTerm,
): Promise<void> {
  await sql`
    update attribute_terms set name = ${name}, slug = ${slug}, description = ${description},
      position = coalesce(${position}::int, position) where id = ${before.id}::bigint`.execute(tx)
  if (slug === before.slug) return
  await sql`
    update product_attributes set options = array_replace(options, ${before.slug}, ${slug}),
      default_option = case when default_option = ${before.slug} then ${slug} else default_option end
    where attribute_id = ${attribute.id}::bigint and ${before.slug} = any(options)`.execute(tx)
  await sql`
    update variation_attributes set value = ${slug}
    where slug = ${`pa_${attribute.slug}`} and value = ${before.slug}`.execute(tx)
}

/** Deletes a term, also from the options of products. Variations keep the value, which is no longer offered. */
export async function deleteAttributeTerm(tx: Tx, attribute: AttributeRow, term: AttributeTermRow): Promise<void> {
  await sql`
    update product_attributes set options = array_remove(options, ${term.slug}),
      default_option = case when default_option = ${term.slug} then '' else default_option end
    where attribute_id = ${attribute.id}::bigint and ${term.slug} = any(options)`.execute(tx)
  await sql`delete from attribute_terms where id = ${term.id}::bigint`.execute(tx)
}
