import { type Kysely, sql } from 'kysely'
import type { Row, Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>

export type ExportedAttribute = {
  name: string
  visible: boolean
  global: boolean
  /** Names of the values; those of a variation are its chosen one. */
  values: string[]
  preset: string
}

/** A product or variation with everything that a product file has. */
export type ExportedProduct = Omit<Row<'products'>, 'meta'> & {
  meta: Record<string, unknown>
  /** Each from the top. */
  categories: string[][]
  /** Each from the top. */
  brands: string[][]
  tags: string[]
  images: { hash: string; width: number }[]
  attributes: ExportedAttribute[]
  /** IDs of products, or names of those that are not here, by kind. */
  links: { kind: 'grouped' | 'upsell' | 'crosssell'; id: number | null; name: string }[]
}

/** Returns the columns that a file of all products needs: the most attributes and downloads of a product, all meta keys. */
export async function exportLayout(db: Db): Promise<{ attributes: number; downloads: number; metaKeys: string[] }> {
  const { rows } = await sql<{ attributes: number; downloads: number; metaKeys: string[] }>`
    select
      coalesce((select max(count) from (select count(*)::int from product_attributes group by product_id) as c), 0) as attributes,
      coalesce((select max(jsonb_array_length(downloads)) from products), 0) as downloads,
      array(select distinct key from products, jsonb_object_keys(meta) as key order by key) as "metaKeys"`.execute(db)
  return rows[0] ?? { attributes: 0, downloads: 0, metaKeys: [] }
}

/** Returns the next products after an ID, each followed by its variations; none of them from the trash. */
export async function exportPage(db: Db, after: number, limit: number): Promise<ExportedProduct[]> {
  const { rows } = await sql<ExportedProduct>`
    with recursive page as (
      select id from products where parent_id is null and status <> 'trash' and id > ${after}::bigint order by id limit ${limit}::int
    ), paths as (
      select id, array[name] as path from categories where parent_id is null
      union all select c.id, paths.path || c.name from categories c join paths on paths.id = c.parent_id
    ), brand_paths as (
      select id, array[name] as path from brands where parent_id is null
      union all select b.id, above.path || b.name from brands b join brand_paths above on above.id = b.parent_id
    )
    select p.*,
      coalesce((select json_agg(paths.path order by paths.id) from product_categories pc join paths on paths.id = pc.category_id
        where pc.product_id = p.id), '[]') as categories,
      coalesce((select json_agg(b.path order by b.id) from product_brands pb join brand_paths b on b.id = pb.brand_id
        where pb.product_id = p.id), '[]') as brands,
      array(select t.name from product_tags pt join tags t on t.id = pt.tag_id where pt.product_id = p.id order by t.name) as tags,
      coalesce((select json_agg(json_build_object('hash', i.hash, 'width', (select max(w) from unnest(i.widths) as w))
        order by pi.position) from product_images pi join images i on i.id = pi.image_id where pi.product_id = p.id), '[]') as images,
      case when p.parent_id is null then coalesce((select json_agg(json_build_object('name', a.name, 'visible', a.visible,
          'global', a.attribute_id is not null,
          'values', array(select coalesce(t.name, o.value) from unnest(a.options) with ordinality as o (value, nr)
            left join attribute_terms t on t.attribute_id = a.attribute_id and t.slug = o.value order by o.nr),
          'preset', coalesce((select t.name from attribute_terms t where t.attribute_id = a.attribute_id
            and t.slug = a.default_option), a.default_option)) order by a.position, a.slug)
        from product_attributes a where a.product_id = p.id), '[]')
      else coalesce((select json_agg(json_build_object('name', a.name, 'visible', a.visible,
          'global', a.attribute_id is not null,
          'values', array_remove(array[coalesce(t.name, v.value)], ''), 'preset', '') order by a.position, a.slug)
        from variation_attributes v join product_attributes a on a.product_id = p.parent_id and a.slug = v.slug
        left join attribute_terms t on t.attribute_id = a.attribute_id and t.slug = v.value
        where v.product_id = p.id), '[]') end as attributes,
      coalesce((select json_agg(json_build_object('kind', l.kind, 'id', l.id, 'name', l.name) order by l.position) from (
          select kind, position, linked_id as id, '' as name from product_links where product_id = p.id
          union all select kind, position, null, name from product_link_names n where n.product_id = p.id
            and not exists (select from products where n.name = 'id:' || products.id)
        ) as l), '[]') as links
    from products p
    where p.status <> 'trash' and (p.id in (select id from page) or p.parent_id in (select id from page))
    order by coalesce(p.parent_id, p.id), p.parent_id nulls first, p.menu_order, p.id`.execute(db)
  return rows
}
