import { z } from 'zod'
import { idInput } from '#contract/shared/number-text.ts'
import { flag, recordShape } from '#contract/shared/rest-input.ts'
import { urls } from '#contract/shared/urls.ts'
import type { Call, LoadClass } from '../../../calls/shared/define-call.ts'
import { pagingHeaders } from '../../pagination-headers.ts'
import { onlyFields } from '../response-fields.ts'
import { applyBatch, batchInput, batchOutput } from './batch.ts'
import { declareEmbeddable, type EmbedChoice, embedder } from './embed.ts'
import { linkedRecord } from './linked-record.ts'
import { recordLinks } from './record-links.ts'
import { type V3Context, v3Call } from './v3-call.ts'
import { V3Error } from './v3-error.ts'

/** A record of the interface; `id` is a number, or a text for settings, gateways and the like. */
export type V3Record = { readonly id: number | string } & Readonly<Record<string, unknown>>

/** Parameters that a list's schema contains at least: `paging` and `recordShape` of contract/shared/rest-input.ts. */
type ListQuery = {
  page: number
  per_page: number
  offset?: number | undefined
  _fields?: string[] | undefined
  _embed?: EmbedChoice | undefined
}
/** Links by their relation: addresses below the API's root. */
export type V3Links = Readonly<Record<string, readonly { readonly href: string; readonly embeddable?: true }[]>>
type Listing<Item> = { readonly records: readonly Item[]; readonly total: number }

/**
 * A group of REST v3: its list, its records, and batches of them. An operation that is absent has no route.
 * Operations throw `V3Error`.
 */
export type V3Resource<Item extends V3Record, Id extends number | string, Query extends ListQuery, Create, Update> = {
  /** Below `wc/v3`: `products/:product_id/variations`. */
  path: string
  /** Names the group in the description: `product variation`. */
  title: string
  load?: LoadClass
  /** Schema of an id that is a text. */
  textId?: boolean
  /** Members of the path that are texts: a group of settings. */
  texts?: readonly string[]
  /** Member of the path for an id that may be 0, as that of the fallback zone; `id` is never 0. */
  zeroIdName?: string
  /** Schema of a record, without its links. */
  item: z.ZodType<Item>
  list?: { query: z.ZodType<Query>; run(context: V3Context, query: Query): Promise<Listing<Item>> }
  get?(context: V3Context, id: Id, shape: { context: 'view' | 'edit' | 'embed' }): Promise<Item>
  create?: { input: z.ZodType<Create>; run(context: V3Context, input: Create): Promise<Item> }
  /** Absent members of the input stay unchanged. */
  update?: { input: z.ZodType<Update>; run(context: V3Context, id: Id, input: Update): Promise<Item> }
  /** Without `trash`, a call without `force=true` is rejected with 501. @returns the record before its removal */
  remove?: { trash: boolean; run(context: V3Context, id: Id, options: { force: boolean }): Promise<Item> }
  batch?: boolean
  /** Further links of a record, as `up`: addresses below the API's root, `wc/v3/products/12`. */
  links?(item: Item, context: V3Context): V3Links
}

/** Declares the calls of one group. The batch precedes the records: `batch` is no id. */
export function v3Resource<Item extends V3Record, Id extends number | string, Query extends ListQuery, Create, Update>(
  resource: V3Resource<Item, Id, Query, Create, Update>,
): Call[] {
  const { path, title, item, textId = false, zeroIdName, load, list, get, create, update, remove } = resource
  const member = zeroIdName ?? 'id'
  const idOf = (input: { id?: unknown }): Id => {
    if (zeroIdName && (input.id === '0' || input.id === 0)) return 0 as Id
    const read = (textId ? z.string().min(1).max(200) : idInput).safeParse(input.id)
    if (!read.success)
      throw new V3Error(404, 'rest_no_route', 'No route was found matching the URL and request method.')
    // The resource declares which of the two its ids are.
    return read.data as Id
  }
  const shared = {
    tag: path.replace(/:\w+\//g, ''),
    ...(load ? { load } : {}),
    texts: [...(resource.texts ?? []), ...(textId ? ['id'] : [])],
  }
  const shape = z.looseObject(recordShape)
  const shown = linkedRecord(item)
  const linked = (record: Item, context: V3Context) => ({ ...record, _links: linksOf(resource, record, context) })
  /** Records with the records that they link to. */
  const embedding = async (
    records: readonly Item[],
    context: V3Context,
    { _fields: fields, _embed: choice }: Pick<ListQuery, '_fields' | '_embed'>,
  ) => {
    const embed = embedder(context, choice)
    const answers: unknown[] = []
    for (const record of records) {
      const embedded = await embed(resource.links?.(record, context))
      const whole = {
        ...record,
        _links: linksOf(resource, record, context),
        ...(embedded ? { _embedded: embedded } : {}),
      }
      answers.push(onlyFields(whole, fields))
    }
    return answers
  }
  if (get) {
    declareEmbeddable(path, async (context, id, form) =>
      linked(await get(context, idOf({ id }), { context: form }), context),
    )
  }
  const calls: (Call | false | undefined)[] = [
    list &&
      v3Call({
        ...shared,
        name: path,
        method: 'GET',
        summary: `List each ${title}`,
        input: list.query,
        output: z.array(shown),
        async answer(context, query) {
          const { records, total } = await list.run(context, query)
          const { page, per_page: perPage, offset } = query
          const headers = pagingHeaders(context.visit, { page, perPage, total, offset })
          return Response.json(await embedding(records, context, query), { headers })
        },
      }),
    create &&
      v3Call({
        ...shared,
        name: path,
        method: 'POST',
        summary: `Create a ${title}`,
        input: create.input,
        output: shown,
        status: 201,
        async answer(context, input) {
          const record = await create.run(context, input)
          const location = linksOf(resource, record, context).self?.[0]?.href ?? ''
          return Response.json(linked(record, context), { status: 201, headers: { Location: location } })
        },
      }),
    resource.batch &&
      v3Call({
        ...shared,
        name: `${path}/batch`,
        method: 'POST',
        alsoMethods: ['PUT', 'PATCH'],
        summary: `Create, update and delete several records: ${title}`,
        input: batchInput,
        output: batchOutput(shown),
        answer: async (context, input) =>
          Response.json(await applyBatch(resource, context, input, idOf, (record) => linked(record, context))),
      }),
    get &&
      v3Call({
        ...shared,
        name: `${path}/:${member}`,
        method: 'GET',
        summary: `Read a ${title}`,
        input: shape,
        output: shown,
        async answer(context, given) {
          const record = await get(context, idOf({ id: context.path[member] }), { context: given.context })
          const [answer] = await embedding([record], context, given)
          return Response.json(answer)
        },
      }),
    update &&
      v3Call({
        ...shared,
        name: `${path}/:${member}`,
        method: 'PUT',
        alsoMethods: ['POST', 'PATCH'],
        summary: `Update a ${title}`,
        input: update.input,
        output: shown,
        answer: async (context, input) =>
          Response.json(linked(await update.run(context, idOf({ id: context.path[member] }), input), context)),
      }),
    remove &&
      v3Call({
        ...shared,
        name: `${path}/:${member}`,
        method: 'DELETE',
        summary: `Delete a ${title}`,
        input: z.looseObject({ force: flag.default(false) }),
        output: shown,
        async answer(context, { force }) {
          const id = idOf({ id: context.path[member] })
          requireForce(remove.trash, force)
          return Response.json(linked(await remove.run(context, id, { force }), context))
        },
      }),
  ]
  return calls.filter((call) => typeof call === 'object')
}

/** @throws V3Error 501 where a record cannot be moved to the trash */
export function requireForce(trash: boolean, force: boolean): void {
  if (trash || force) return
  throw new V3Error(
    501,
    'woocommerce_rest_trash_not_supported',
    'This resource does not support trashing. Set force=true to delete it.',
  )
}

function linksOf<Item extends V3Record>(
  { path, links }: { path: string; links?(item: Item, context: V3Context): V3Links },
  record: Item,
  context: V3Context,
): V3Links {
  const { publicUrl } = context.tools
  const root = publicUrl + urls.rest('')
  const others = Object.entries(links?.(record, context) ?? {}).map(
    ([rel, targets]) => [rel, targets.map(({ href, ...rest }) => ({ href: root + href, ...rest }))] as const,
  )
  const own = path.replace(/:(\w+)/g, (_, name: string) => context.path[name] ?? '')
  return {
    ...recordLinks(publicUrl, own, record.id),
    ...Object.fromEntries(others),
  }
}
