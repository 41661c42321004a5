import { urls } from '#contract/shared/urls.ts'

/** Links by their relation, as addresses. */
export type RecordLinks = Readonly<Record<'self' | 'collection', readonly { readonly href: string }[]>>

/** Returns the links of a record to itself and to its list. @param path of the list below `wc/v3`, with its values */
export function recordLinks(publicUrl: string, path: string, id: number | string): RecordLinks {
  const list = publicUrl + urls.rest(`wc/v3/${path}`)
  return { self: [{ href: `${list}/${encodeURIComponent(String(id))}` }], collection: [{ href: list }] }
}
