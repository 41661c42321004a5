import { type Kysely, sql, type Transaction } from 'kysely'
import type { NewRow, Row, Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>
export type DownloadPermissionRow = Row<'download_permissions'>

/** Inserts download permissions of an order; existing ones stay unchanged, with their counts. */
export async function insertDownloads(
  tx: Transaction<Schema>,
  rows: readonly NewRow<'download_permissions'>[],
): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('download_permissions')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['order_id', 'product_id', 'file_id']).doNothing())
    .execute()
}

/** A download permission with its file's location, and the status of its order. */
export type Download = DownloadPermissionRow & {
  url: string | null
  order_status: Row<'orders'>['status']
  product_name: string | null
  product_slug: string | null
}

const downloads = sql`
  select d.*, o.status as order_status, p.name as product_name,
    case when p.status = 'publish' then coalesce(parent.slug, p.slug) end as product_slug,
    (select file ->> 'url' from jsonb_array_elements(p.downloads) with ordinality as list (file, place)
      where coalesce(nullif(file ->> 'id', ''), 'file-' || place) = d.file_id limit 1) as url
  from download_permissions d join orders o on o.id = d.order_id and o.trashed_at is null
    left join products p on p.id = d.product_id left join products parent on parent.id = p.parent_id`

export async function findDownload(db: Db, token: string): Promise<Download | undefined> {
  const { rows } = await sql<Download>`${downloads} where d.token = ${token}`.execute(db)
  return rows[0]
}

/** Returns a customer's current downloads, those of the newest order first. */
export async function findCustomersDownloads(db: Db, customerId: number, now: Date): Promise<Download[]> {
  const { rows } = await sql<Download>`${downloads} where o.customer_id = ${customerId}::bigint and ${open(now)}
    order by d.order_id desc, d.id`.execute(db)
  return rows
}

/** Returns an order's current downloads. */
export async function findOrdersDownloads(db: Db, orderId: number, now: Date): Promise<Download[]> {
  const { rows } = await sql<Download>`${downloads} where d.order_id = ${orderId}::bigint and ${open(now)}
    order by d.id`.execute(db)
  return rows
}

const open = (now: Date) => sql`o.status in ('processing', 'completed')
  and (d.remaining is null or d.remaining > 0) and (d.expires_at is null or d.expires_at > ${now})`

/** A file of a product; null where a downloadable product has none. */
export type SoldFile = { readonly sku: string | null; readonly name: string; readonly url: string | null }

/** Returns every file that is for sale, or that an order permits to download. */
export async function findSoldFiles(db: Db): Promise<SoldFile[]> {
  const { rows } = await sql<SoldFile>`
    select p.sku, p.name, file ->> 'url' as url
    from products p cross join jsonb_array_elements(p.downloads) with ordinality as list (file, place)
    where p.downloadable and p.downloads <> '[]'
      and (p.status <> 'trash' or exists (select from download_permissions d where d.product_id = p.id))
    union all
    select sku, name, null from products
    where downloadable and downloads = '[]' and status = 'publish' and type in ('simple', 'variation')
    order by name, url`.execute(db)
  return rows
}

export type WithdrawnFile = Pick<SoldFile, 'sku' | 'name'> & { readonly file: string; readonly orders: number }

/** Returns permitted files that their product no longer has. */
export async function findWithdrawnFiles(db: Db, now: Date, most: number): Promise<WithdrawnFile[]> {
  const { rows } = await sql<WithdrawnFile>`
    select p.sku, coalesce(p.name, 'a deleted product') as name, d.name as file, count(distinct d.order_id)::int as orders
    from download_permissions d join orders o on o.id = d.order_id and o.trashed_at is null left join products p on p.id = d.product_id
    where ${open(now)} and not exists (
      select from jsonb_array_elements(p.downloads) with ordinality as list (file, place)
      where coalesce(nullif(file ->> 'id', ''), 'file-' || place) = d.file_id)
    group by 1, 2, 3 order by 2, 3 limit ${most}`.execute(db)
  return rows
}

/**
 * Counts a download, if any is left and the permission has not expired. One statement, so that concurrent downloads
 * never exceed the limit.
 */
export async function countDownload(db: Db, id: number, now: Date): Promise<boolean> {
  const { rows } = await sql`update download_permissions
    set remaining = remaining - 1, fetched = fetched + 1, last_fetched_at = ${now}
    where id = ${id}::bigint and (remaining is null or remaining > 0) and (expires_at is null or expires_at > ${now})
    returning id`.execute(db)
  return rows.length === 1
}
