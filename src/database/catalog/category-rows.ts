import type postgres from 'postgres'
import { imageJson, type StoredImage } from './product-rows.ts'
import { catalogVersionKey } from './version.ts'

export type CategoryRow = {
  id: number
  parentId: number | null
  name: string
  slug: string
  description: string
  /** Products shown in the category or below it. */
  count: number
  image: StoredImage | null
}

/** What hardly changes and every page asks for. */
export type CatalogOverview = {
  version: number
  categories: CategoryRow[]
  /** Products for the home page, by id. */
  featured: number[]
  onSale: number[]
}

/** All categories with their counts. Reads the whole catalogue: keep the answer as long as its version stands. */
export async function catalogOverview(
  sql: postgres.Sql,
  hideOutOfStock: boolean,
  shown: number,
): Promise<CatalogOverview> {
  const listed = sql`p.status = 'publish' and p.parent_id is null and p.visibility in ('visible', 'catalog')
    ${hideOutOfStock ? sql`and p.stock_status <> 'outofstock'` : sql``}`
  const rows = await sql<
    { version: number | null; categories: CategoryRow[]; featured: number[]; on_sale: number[] }[]
  >`
    with recursive tree as (
      select id as top, id from categories
      union all select tree.top, c.id from tree join categories c on c.parent_id = tree.id
    ), counts as (
      select tree.top, count(distinct p.id) as count from tree
      join product_categories pc on pc.category_id = tree.id join products p on p.id = pc.product_id
      where ${listed} group by tree.top
    )
    select (select (value #>> '{}')::bigint from settings where key = ${catalogVersionKey}) as version,
      (select coalesce(json_agg(json_build_object('id', c.id, 'parentId', c.parent_id, 'name', c.name, 'slug', c.slug,
          'description', c.description, 'count', coalesce(counts.count, 0),
          'image', case when i.id is not null then ${sql.unsafe(imageJson)} end) order by c.position, c.name, c.id), '[]')
        from categories c left join counts on counts.top = c.id left join images i on i.id = c.image_id) as categories,
      array(select p.id from products p where ${listed} and p.featured
        order by p.menu_order, p.name, p.id limit ${shown}::int) as featured,
      array(select p.id from products p where ${listed} and p.on_sale and p.stock_status <> 'outofstock'
        order by p.menu_order, p.name, p.id limit ${shown}::int) as on_sale`
  const [row] = rows
  return {
    version: row?.version ?? 0,
    categories: row?.categories ?? [],
    featured: row?.featured ?? [],
    onSale: row?.on_sale ?? [],
  }
}
