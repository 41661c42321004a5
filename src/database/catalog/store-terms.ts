import type { Sql } from '../engine/driver/sql.ts'
import { imageJson } from './product-rows.ts'
import type { StoreImage } from './store-products.ts'

export type StoreTermRow = {
  id: number
  name: string
  slug: string
  description: string
  /** The attribute of an attribute's term. */
  attributeId: number
}

/** Returns the terms of a shop-wide attribute; null without such an attribute. */
export async function attributeTerms(sql: Sql, attributeId: number): Promise<StoreTermRow[] | null> {
  const [row] = await sql<{ terms: StoreTermRow[] }[]>`
    select (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'slug', t.slug,
        'description', t.description, 'attributeId', a.id) order by t.position, t.name, t.id), '[]')
      from attribute_terms t where t.attribute_id = a.id) as terms
    from attributes a where a.id = ${attributeId}::bigint`
  return row?.terms ?? null
}

/** Returns the terms of shop-wide attributes by their ids. */
export async function attributeTermsByIds(sql: Sql, ids: readonly number[]): Promise<StoreTermRow[]> {
  if (ids.length === 0) return []
  return sql<StoreTermRow[]>`
    select id, name, slug, description, attribute_id as "attributeId" from attribute_terms
    where id = any(${[...ids]}::bigint[])`
}

export type StoreBrandRow = {
  id: number
  parentId: number | null
  name: string
  slug: string
  description: string
  count: number
  reviewCount: number
  imageId: number | null
}

/** Returns all brands with the number of their products in listings. */
export async function storeBrands(sql: Sql): Promise<StoreBrandRow[]> {
  return sql<StoreBrandRow[]>`
    select b.id, b.parent_id as "parentId", b.name, b.slug, b.description, b.image_id as "imageId",
      count(p.id)::int as count, coalesce(sum(p.rating_count), 0)::int as "reviewCount"
    from brands b left join product_brands pb on pb.brand_id = b.id
      left join products p on p.id = pb.product_id and p.status = 'publish' and p.visibility in ('visible', 'catalog')
    group by b.id order by b.position, b.name, b.id`
}

/** Returns descriptions of tags by their ids. */
export async function tagDescriptions(sql: Sql): Promise<ReadonlyMap<number, string>> {
  const rows = await sql<{ id: number; description: string }[]>`
    select id, description from tags where description <> ''`
  return new Map(rows.map(({ id, description }) => [id, description]))
}

/** Returns the number of reviews below each category or tag. */
export async function reviewCounts(sql: Sql, of: 'category' | 'tag'): Promise<ReadonlyMap<number, number>> {
  const rows =
    of === 'category'
      ? await sql<{ id: number; count: number }[]>`
          select pc.category_id as id, sum(p.rating_count)::int as count
          from product_categories pc join products p on p.id = pc.product_id and p.status = 'publish' and p.rating_count > 0
          group by pc.category_id`
      : await sql<{ id: number; count: number }[]>`
          select pt.tag_id as id, sum(p.rating_count)::int as count
          from product_tags pt join products p on p.id = pt.product_id and p.status = 'publish' and p.rating_count > 0
          group by pt.tag_id`
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Returns the products of each brand. */
export function brandMembers(sql: Sql): Promise<{ id: number; productIds: number[] }[]> {
  return sql<{ id: number; productIds: number[] }[]>`
    select brand_id as id, array_agg(product_id) as "productIds" from product_brands group by brand_id order by brand_id`
}

/** Returns images of the media library by their ids. */
export async function storeImages(sql: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, StoreImage>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ image: StoreImage }[]>`
    select (${sql.unsafe(imageJson)})::jsonb || jsonb_build_object('id', i.id, 'name', regexp_replace(i.source, '^.*/', ''))
      as image from images i where i.id = any(${[...ids]}::bigint[])`
  return new Map(rows.map(({ image }) => [image.id, image]))
}

/** Returns the ids of the images of categories. */
export async function categoryImageIds(sql: Sql): Promise<ReadonlyMap<number, number>> {
  const rows = await sql<{ id: number; imageId: number }[]>`
    select id, image_id as "imageId" from categories where image_id is not null`
  return new Map(rows.map(({ id, imageId }) => [id, imageId]))
}
