import { type Kysely, sql } from 'kysely'
import type { Row, Schema } from '../engine/schema/schema.ts'
import { lowStockAt } from './derived-columns.ts'

/** Products for the merchant's lists: in any status, and variations separately on request. */

type Product = Row<'products'>

export type DeskProduct = Pick<
  Product,
  | 'id'
  | 'parent_id'
  | 'type'
  | 'sku'
  | 'gtin'
  | 'name'
  | 'slug'
  | 'status'
  | 'visibility'
  | 'featured'
  | 'short_description'
  | 'regular_price'
  | 'sale_price'
  | 'sale_from'
  | 'sale_to'
  | 'on_sale'
  | 'min_price'
  | 'max_price'
  | 'tax_status'
  | 'tax_class'
  | 'shipping_class'
  | 'manage_stock'
  | 'stock_quantity'
  | 'stock_status'
  | 'backorders'
  | 'low_stock_amount'
  | 'total_sales'
  | 'updated_at'
> & {
  /** Quantity that unpaid orders reserve now. */
  readonly reserved: number
  /** The slug of its page: a variation has its parent's. */
  readonly page_slug: string
}

export const productSorts = ['name', 'newest', 'stock', 'sold'] as const
export type ProductSort = (typeof productSorts)[number]

export type ProductFilter = {
  /** Found in the name, the SKU or the GTIN. */
  readonly text?: string | undefined
  /** Absent: all except the trash. */
  readonly status?: Product['status'] | undefined
  readonly type?: Product['type'] | undefined
  /** `low`: managed stock at or below the low-stock threshold. */
  readonly stock?: Product['stock_status'] | 'low' | undefined
  /** Including subcategories. */
  readonly category?: string | undefined
  readonly onSale?: boolean | undefined
  readonly variations?: boolean | undefined
}

/** Includes sales that are recorded but not counted yet: merchants see an order at once, unlike listings. */
export const withSalesNews = sql`products p left join (
  select product_id, sum(pieces) as pieces from sales_news group by product_id) news on news.product_id = p.id`
export const sold = sql`greatest(0, p.total_sales + coalesce(news.pieces, 0))`

const orders: Readonly<Record<ProductSort, ReturnType<typeof sql>>> = {
  name: sql`p.name, p.id`,
  newest: sql`p.created_at desc, p.id desc`,
  stock: sql`p.stock_quantity nulls last, p.name, p.id`,
  sold: sql`${sold} desc, p.id`,
}

const columns = (now: Date) => sql`
  p.id, p.parent_id, p.type, p.sku, p.gtin, p.name, p.slug, p.status, p.visibility, p.featured, p.short_description,
  p.regular_price, p.sale_price, p.sale_from, p.sale_to, p.on_sale, p.min_price, p.max_price, p.tax_status, p.tax_class,
  p.shipping_class, p.manage_stock, p.stock_quantity, p.stock_status, p.backorders, p.low_stock_amount,
  ${sold} as total_sales,
  p.updated_at, coalesce((select slug from products parent where parent.id = p.parent_id), p.slug) as page_slug,
  (select coalesce(sum(quantity), 0)::int from stock_reservations r
   where r.product_id = p.id and r.expires_at > ${now}) as reserved`

/** Returns one page of the filtered products, and their total number. */
export async function listDeskProducts(
  db: Kysely<Schema>,
  filter: ProductFilter,
  { sort, limit, offset }: { sort: ProductSort; limit: number; offset: number },
  now: Date,
): Promise<{ count: number; products: DeskProduct[] }> {
  const where = conditions(filter)
  const [counted, listed] = await Promise.all([
    sql<{ count: number }>`select count(*)::int as count from products p where ${where}`.execute(db),
    sql<DeskProduct>`
      select ${columns(now)} from ${withSalesNews} where ${where}
      order by ${orders[sort]} limit ${limit}::int offset ${offset}::int`.execute(db),
  ])
  return { count: counted.rows[0]?.count ?? 0, products: listed.rows }
}

function conditions({ text, status, type, stock, category, onSale, variations }: ProductFilter) {
  const all = [status ? sql`p.status = ${status}` : sql`p.status <> 'trash'`]
  if (type) all.push(sql`p.type = ${type}`)
  else if (!variations) all.push(sql`p.parent_id is null`)
  if (text) {
    const anywhere = `%${text.replace(/[\\%_]/g, '\\$&')}%`
    all.push(sql`(p.name ilike ${anywhere} or p.sku ilike ${anywhere} or p.gtin = ${text})`)
  }
  if (stock === 'low') {
    all.push(sql`p.manage_stock = 'yes' and p.stock_quantity <= coalesce(p.low_stock_amount, ${lowStockAt})`)
  } else if (stock) all.push(sql`p.stock_status = ${stock}`)
  if (onSale) all.push(sql`p.on_sale`)
  if (category !== undefined) {
    all.push(sql`coalesce(p.parent_id, p.id) in (
      with recursive below as (
        select id from categories where slug = ${category}
        union select c.id from categories c join below on c.parent_id = below.id
      )
      select product_id from product_categories join below on below.id = category_id)`)
  }
  return sql.join(all, sql` and `)
}

/** Returns products by id, in the order of the ids. */
export async function findDeskProducts(db: Kysely<Schema>, ids: readonly number[], now: Date): Promise<DeskProduct[]> {
  const { rows } = await sql<DeskProduct>`
    select ${columns(now)} from ${withSalesNews} where p.id = any(${[...ids]}::bigint[])
    order by array_position(${[...ids]}::bigint[], p.id)`.execute(db)
  return rows
}

export type StockMovement = { at: Date; change: number; kind: 'counted' | 'sold' | 'returned'; order_id: number | null }

/** Returns a product's variations in order, its categories, and the latest stock movements. */
export async function aroundDeskProduct(db: Kysely<Schema>, id: number, now: Date) {
  const [variations, categories, movements] = await Promise.all([
    sql<DeskProduct & { choices: string }>`
      select ${columns(now)}, coalesce((
        select string_agg(coalesce(nullif(value, ''), 'any'), ', ' order by slug) from variation_attributes v where v.product_id = p.id
      ), '') as choices
      from ${withSalesNews} where p.parent_id = ${id}::bigint order by p.menu_order, p.id`.execute(db),
    sql<{ slug: string }>`
      select slug from categories join product_categories on category_id = id
      where product_id = ${id}::bigint order by slug`.execute(db),
    sql<StockMovement>`
      select at, change, kind, order_id from stock_movements where product_id = ${id}::bigint
      order by id desc limit 10`.execute(db),
  ])
  return {
    variations: variations.rows,
    categories: categories.rows.map(({ slug }) => slug),
    movements: movements.rows,
  }
}
