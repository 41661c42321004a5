import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'

type Tx = Kysely<Schema>

/**
 * Replaces the relations of products by exactly the given ones. Unchanged rows are not touched, so a repeated import
 * writes nothing. Each function is one statement for all products of a batch, and returns the ids of those that
 * changed.
 */

/** A table of pairs without further columns. */
async function setPairs(
  tx: Tx,
  table: 'product_categories' | 'product_tags' | 'product_brands',
  column: 'category_id' | 'tag_id' | 'brand_id',
  productIds: readonly number[],
  pairs: readonly { product: number; other: number }[],
): Promise<number[]> {
  if (productIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with wanted as (
      select distinct * from unnest(${pairs.map(({ product }) => product)}::bigint[], ${pairs.map(({ other }) => other)}::bigint[])
        as wanted (product_id, other_id)
    ), gone as (
      delete from ${sql.table(table)} had
      where had.product_id = any(${[...productIds]}::bigint[])
        and (had.product_id, had.${sql.ref(column)}) not in (select product_id, other_id from wanted)
      returning had.product_id
    ), come as (
      insert into ${sql.table(table)} (product_id, ${sql.ref(column)}) select product_id, other_id from wanted
      on conflict do nothing returning product_id
    )
    select product_id as id from gone union select product_id from come`.execute(tx)
  return rows.map(({ id }) => id)
}

export function setCategories(
  tx: Tx,
  productIds: readonly number[],
  pairs: readonly { product: number; other: number }[],
) {
  return setPairs(tx, 'product_categories', 'category_id', productIds, pairs)
}

export function setTags(tx: Tx, productIds: readonly number[], pairs: readonly { product: number; other: number }[]) {
  return setPairs(tx, 'product_tags', 'tag_id', productIds, pairs)
}

export function setBrands(tx: Tx, productIds: readonly number[], pairs: readonly { product: number; other: number }[]) {
  return setPairs(tx, 'product_brands', 'brand_id', productIds, pairs)
}

export async function setImages(
  tx: Tx,
  productIds: readonly number[],
  images: readonly { product: number; position: number; image: number }[],
): Promise<number[]> {
  if (productIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(images)}::text::jsonb)
        as wanted (product bigint, position integer, image bigint)
    ), gone as (
      delete from product_images had
      where had.product_id = any(${[...productIds]}::bigint[])
        and (had.product_id, had.position) not in (select product, position from wanted)
      returning had.product_id
    ), come as (
      insert into product_images (product_id, position, image_id) select product, position, image from wanted
      on conflict (product_id, position) do update set image_id = excluded.image_id
        where product_images.image_id <> excluded.image_id
      returning product_id
    )
    select product_id as id from gone union select product_id from come`.execute(tx)
  return rows.map(({ id }) => id)
}

export type LinkKind = 'grouped' | 'upsell' | 'crosssell'

export async function setLinks(
  tx: Tx,
  kind: LinkKind,
  productIds: readonly number[],
  links: readonly { product: number; position: number; linked: number }[],
): Promise<number[]> {
  if (productIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(links)}::text::jsonb)
        as wanted (product bigint, position integer, linked bigint)
    ), gone as (
      delete from product_links had
      where had.kind = ${kind} and had.product_id = any(${[...productIds]}::bigint[])
        and (had.product_id, had.position) not in (select product, position from wanted)
      returning had.product_id
    ), come as (
      insert into product_links (product_id, kind, position, linked_id) select product, ${kind}, position, linked from wanted
      on conflict (product_id, kind, position) do update set linked_id = excluded.linked_id
        where product_links.linked_id <> excluded.linked_id
      returning product_id
    )
    select product_id as id from gone union select product_id from come`.execute(tx)
  return rows.map(({ id }) => id)
}

export type ProductAttributeRow = {
  product: number
  position: number
  attribute: number | null
  name: string
  slug: string
  options: readonly string[]
  visible: boolean
  preset: string
}

/** Leaves `for_variations` unchanged: variations determine it, see markVariationAttributes. */
export async function setAttributes(
  tx: Tx,
  productIds: readonly number[],
  attributes: readonly ProductAttributeRow[],
): Promise<number[]> {
  if (productIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with wanted as (
      select product, position, attribute, name, slug, visible, preset,
        array(select jsonb_array_elements_text(options)) as options
      from jsonb_to_recordset(${JSON.stringify(attributes)}::text::jsonb) as given (product bigint, position integer,
        attribute bigint, name text, slug text, visible boolean, preset text, options jsonb)
    ), gone as (
      delete from product_attributes had
      where had.product_id = any(${[...productIds]}::bigint[])
        and (had.product_id, had.slug) not in (select product, slug from wanted)
      returning had.product_id
    ), come as (
      insert into product_attributes as had (product_id, position, attribute_id, name, slug, options, visible, default_option)
      select product, position, attribute, name, slug, options, visible, preset from wanted
      on conflict (product_id, slug) do update set
        position = excluded.position, attribute_id = excluded.attribute_id, name = excluded.name,
        options = excluded.options, visible = excluded.visible, default_option = excluded.default_option
        where row(had.position, had.attribute_id, had.name, had.options, had.visible, had.default_option) is distinct from
          row(excluded.position, excluded.attribute_id, excluded.name, excluded.options, excluded.visible, excluded.default_option)
      returning product_id
    )
    select product_id as id from gone union select product_id from come`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function setVariationAttributes(
  tx: Tx,
  productIds: readonly number[],
  values: readonly { product: number; slug: string; value: string }[],
): Promise<number[]> {
  if (productIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(values)}::text::jsonb) as wanted (product bigint, slug text, value text)
    ), gone as (
      delete from variation_attributes had
      where had.product_id = any(${[...productIds]}::bigint[])
        and (had.product_id, had.slug) not in (select product, slug from wanted)
      returning had.product_id
    ), come as (
      insert into variation_attributes as had (product_id, slug, value) select product, slug, value from wanted
      on conflict (product_id, slug) do update set value = excluded.value where had.value <> excluded.value
      returning product_id
    )
    select product_id as id from gone union select product_id from come`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The file has no column for the variation attributes: they are those that the variations name. */
export async function markVariationAttributes(tx: Tx, parentIds: readonly number[]): Promise<number[]> {
  if (parentIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    update product_attributes had set for_variations = not had.for_variations
    where had.product_id = any(${[...parentIds]}::bigint[])
      and had.for_variations <> exists (
        select from products v join variation_attributes chosen on chosen.product_id = v.id
        where v.parent_id = had.product_id and chosen.slug = had.slug)
    returning had.product_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}
