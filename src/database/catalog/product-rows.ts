import type { Sql } from '../engine/driver/sql.ts'
import { catalogVersionKey } from './catalog-version.ts'

/** Catalog queries return products as JSON built by PostgreSQL, one answer per page. */

export type StoredImage = {
  hash: string
  width: number
  height: number
  alt: string
  placeholder: string
  widths: readonly number[]
  /** True if AVIF files exist too. */
  avif: boolean
}

/** Prices of a card or page; whole minor units as entered. */
export type StoredPrices = {
  regularPrice: number | null
  /** The current price, or its range for variable and grouped products. Null: not for sale. */
  minPrice: number | null
  maxPrice: number | null
  onSale: boolean
  /** The regular price shared by all variations; null if they differ, and for other products. */
  sharedRegular: number | null
  taxStatus: 'taxable' | 'shipping' | 'none'
  taxClass: string
}

export type CardRow = StoredPrices & {
  id: number
  type: 'simple' | 'variable' | 'grouped' | 'external'
  sku: string
  name: string
  slug: string
  featured: boolean
  stock: 'instock' | 'outofstock' | 'onbackorder'
  virtual: boolean
  downloadable: boolean
  soldIndividually: boolean
  hasDefaults: boolean
  averageRating: number
  ratingCount: number
  externalUrl: string
  buttonText: string
  categoryIds: readonly number[]
  tags: readonly { name: string; slug: string }[]
  image: StoredImage | null
}

/** `i` as JSON. */
export const imageJson = `json_build_object('hash', i.hash, 'width', i.width, 'height', i.height, 'alt', i.alt,
  'placeholder', i.placeholder, 'widths', i.widths, 'avif', i.sizes <> 'first')`

/** Members of a card, for the product `p`. */
export const cardMembers = `
  'id', p.id, 'type', p.type, 'sku', coalesce(p.sku, ''), 'name', p.name, 'slug', p.slug, 'featured', p.featured,
  'stock', p.stock_status, 'virtual', p.virtual, 'downloadable', p.downloadable, 'soldIndividually', p.sold_individually,
  'averageRating', p.average_rating, 'ratingCount', p.rating_count,
  'externalUrl', p.external_url, 'buttonText', p.button_text,
  'regularPrice', p.regular_price, 'minPrice', p.min_price, 'maxPrice', p.max_price, 'onSale', p.on_sale,
  'taxStatus', p.tax_status, 'taxClass', p.tax_class,
  'sharedRegular', case when p.type = 'variable' and p.on_sale then (
    select case when min(v.regular_price) = max(v.regular_price) then min(v.regular_price) end
    from products v where v.parent_id = p.id and v.status = 'publish') end,
  'hasDefaults', p.type = 'variable' and exists (
    select from product_attributes a where a.product_id = p.id and a.default_option <> ''),
  'categoryIds', (select coalesce(json_agg(pc.category_id order by pc.category_id), '[]')
    from product_categories pc where pc.product_id = p.id),
  'tags', (select coalesce(json_agg(json_build_object('name', t.name, 'slug', t.slug) order by t.name), '[]')
    from product_tags pt join tags t on t.id = pt.tag_id where pt.product_id = p.id),
  'image', (select ${imageJson} from product_images pi join images i on i.id = pi.image_id
    where pi.product_id = p.id order by pi.position limit 1)`

/** Current cards, and their catalog version. */
export type Cards = { readonly version: number; readonly cards: readonly CardRow[] }

/** A cached card. */
type Remembered = { readonly asOf: string; readonly card: CardRow }

/** Cached cards by connection pool. The oldest entry is evicted first. */
const memories = new WeakMap<Sql, Map<number, Remembered>>()
const maxCacheEntries = 2_000

/**
 * Reads published products by id, in the order of the ids, in one round trip; in two if one has changed. Each call
 * reads the current version of every row: only unchanged cards come from the cache.
 */
export async function cardsByIds(sql: Sql, ids: readonly number[]): Promise<Cards> {
  const memory = memories.get(sql) ?? new Map<number, Remembered>()
  memories.set(sql, memory)
  const known = ids.every((id) => memory.has(id)) ? await fromCache(sql, memory, ids) : null
  return known ?? readCards(sql, memory, ids)
}

/** Returns cached cards; null if one of them has changed. */
async function fromCache(
  sql: Sql,
  memory: ReadonlyMap<number, Remembered>,
  ids: readonly number[],
): Promise<Cards | null> {
  const { version, rows } = await presentRows(sql, ids)
  const cards: CardRow[] = []
  for (const id of ids) {
    const xmin = rows[id]
    if (xmin === undefined) continue
    const known = memory.get(id)
    if (known?.asOf !== asOf(version, xmin)) return null
    cards.push(known.card)
  }
  return { version, cards }
}

/** Returns the current catalog version; concurrent callers share one query. */
export const catalogVersionNow = async (sql: Sql): Promise<number> => (await presentRows(sql, [])).version

/** Current versions of each published product, and of the catalog. */
type Present = { readonly version: number; readonly rows: Readonly<Record<number, string>> }
type Asking = { underWay: Promise<Present>; next: { readonly ids: Set<number>; answer: Promise<Present> } | null }
const askings = new WeakMap<Sql, Asking>()

/**
 * Runs one query at a time: concurrent callers share the next answer, never the one in progress, which may be older
 * than their request. Under load one round trip serves all waiting pages.
 */
function presentRows(sql: Sql, ids: readonly number[]): Promise<Present> {
  const asking = askings.get(sql)
  if (!asking) {
    const underWay = readPresent(sql, ids)
    askings.set(sql, { underWay, next: null })
    const over = () => void askings.delete(sql)
    underWay.then(over, over)
    return underWay
  }
  if (!asking.next) {
    const together = new Set<number>()
    const ask = () => presentRows(sql, [...together])
    asking.next = { ids: together, answer: asking.underWay.then(ask, ask) }
  }
  for (const id of ids) asking.next.ids.add(id)
  return asking.next.answer
}

/**
 * `xmin` differs after each change of a row; other tables (images, categories, tags, variations) change together with
 * the catalog version.
 */
async function readPresent(sql: Sql, ids: readonly number[]): Promise<Present> {
  // A subquery hides the list of ids: its length would make PostgreSQL plan this again for every page.
  const [row] = await sql<{ version: number | null; rows: Record<number, string> }[]>`
    select (select (value #>> '{}')::bigint from settings where key = ${catalogVersionKey}) as version,
      (select coalesce(json_object_agg(p.id, p.xmin), '{}') from products p
        where p.id = any((select ${[...ids]}::bigint[])::bigint[]) and p.status = 'publish' and p.parent_id is null) as rows`
  return { version: row?.version ?? 0, rows: row?.rows ?? {} }
}

const asOf = (version: number, xmin: string) => `${version} ${xmin}`

async function readCards(sql: Sql, memory: Map<number, Remembered>, ids: readonly number[]): Promise<Cards> {
  const [row] = await sql<{ version: number | null; rows: { xmin: string; card: CardRow }[] }[]>`
    select (select (value #>> '{}')::bigint from settings where key = ${catalogVersionKey}) as version,
      (select coalesce(json_agg(json_build_object('xmin', p.xmin, 'card', json_build_object(${sql.unsafe(cardMembers)}))
          order by wanted.nr), '[]')
        from unnest(${[...ids]}::bigint[]) with ordinality as wanted (id, nr) join products p on p.id = wanted.id
        where p.status = 'publish' and p.parent_id is null) as rows`
  const version = row?.version ?? 0
  const rows = row?.rows ?? []
  for (const { xmin, card } of rows) {
    memory.delete(card.id)
    memory.set(card.id, { asOf: asOf(version, xmin), card })
  }
  for (const oldest of memory.keys()) {
    if (memory.size <= maxCacheEntries) break
    memory.delete(oldest)
  }
  return { version, cards: rows.map(({ card }) => card) }
}
