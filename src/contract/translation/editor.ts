import { z } from 'zod'

/**
 * The editor of translations: what its page, the shop in its frame and the server say to each other.
 */

export const editorUrls = {
  editor: (language?: string, path?: string) => {
    const query = new URLSearchParams({ ...(language ? { language } : {}), ...(path ? { path } : {}) }).toString()
    return query ? `/translate/?${query}` : '/translate/'
  },
  texts: (query: Readonly<Record<string, string | number>> = {}) => {
    const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
    return text ? `/translate/texts/?${text}` : '/translate/texts/'
  },
  mail: (kind: string) => `/translate/mail/${kind}/`,
} as const

/**
 * On an address of the shop: the page is shown with its texts marked. The key is bound to the translator's session. The first
 * is `editParameter` of translate.ts, written out: imported, it would bring the editor's schemas to every visitor who reads it.
 */
export const editorParameter = { parameter: 'trp-edit-translation', value: 'preview', key: 'trp-edit-key' } as const

/** @returns an address of the shop as the editor's frame shows it */
export function editorUrl(address: string, key: string): string {
  const [withoutHash = '', hash] = address.split('#', 2)
  const sign = withoutHash.includes('?') ? '&' : '?'
  const marked = `${withoutHash}${sign}${editorParameter.parameter}=${editorParameter.value}&${editorParameter.key}=${encodeURIComponent(key)}`
  return hash === undefined ? marked : `${marked}#${hash}`
}

/** What the nonces of the editor are for. */
export const editorNonces = { calls: 'trp_editor', frame: 'trp_editor_frame' } as const

/** How texts are marked: an element of its own around a text; for attributes, and where no element may stand, on the element. */
export const marks = {
  tag: 'translate-press',
  id: 'data-trp-translate-id',
  group: 'data-trp-node-group',
  /** Values that stand in the places of the text, as JSON. */
  values: 'data-trp-values',
  /** Category of the plural that is shown. */
  form: 'data-trp-form',
  /** Inner markup: it is shown anew by loading the page, not by writing into it. */
  markup: 'data-trp-markup',
  of: (attribute: string) => ({
    id: `data-trp-translate-id-${attribute}`,
    group: `data-trp-node-group-${attribute}`,
  }),
} as const

/** Printed into a page of the frame, as JSON in an element of this id. */
export const frameElementId = 'vitrine-editor-frame'
export const frameFacts = z.object({
  /** The language that is edited. */
  language: z.string(),
  /** For the calls of the page in the frame. */
  nonce: z.string(),
  ajaxUrl: z.string(),
  key: z.string(),
  /** The page's address without what belongs to the editor. */
  path: z.string(),
  words: z.object({ edit: z.string(), outside: z.string(), notHere: z.string() }),
})
export type FrameFacts = z.infer<typeof frameFacts>

const textId = z.number().int().positive()
const someText = z.string().max(100_000)

/** A text of the page that is in the frame. */
export const frameText = z.object({
  id: textId,
  group: z.string().max(60),
  /** `text`, or the name of the attribute. */
  kind: z.string().max(40),
  text: z.string().max(2000),
})
export type FrameText = z.infer<typeof frameText>

/** From the frame to the editor. */
export const fromFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), path: z.string().max(4000), title: z.string().max(2000) }),
  z.object({ type: z.literal('strings'), texts: z.array(frameText).max(5000) }),
  z.object({ type: z.literal('select'), id: textId }),
  z.object({ type: z.literal('key'), key: z.enum(['save', 'next', 'previous', 'discard']) }),
  z.object({ type: z.literal('leaves'), outside: z.boolean() }),
])
export type FromFrame = z.infer<typeof fromFrame>

/** From the editor to the frame. */
export const toFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('select'), id: textId, scroll: z.boolean() }),
  z.object({ type: z.literal('mode'), picking: z.boolean() }),
  /** Shown, not saved. */
  z.object({ type: z.literal('preview'), id: textId, forms: z.record(z.string(), someText) }),
  z.object({ type: z.literal('saved'), id: textId, forms: z.record(z.string(), someText) }),
  z.object({ type: z.literal('statuses'), of: z.array(z.tuple([textId, z.number().int().min(0).max(3)])).max(5000) }),
])
export type ToFrame = z.infer<typeof toFrame>

/** Printed into the editor's page, as JSON in an element of this id. */
export const editorElementId = 'vitrine-editor'

export type EditorLanguage = {
  readonly tag: string
  /** '' for the shop's own. */
  readonly slug: string
  readonly name: string
  readonly dir: 'ltr' | 'rtl'
  readonly published: boolean
  /** In percent. */
  readonly done: number
  /** The categories of plurals that it has, each with a count that is said so. */
  readonly plurals: readonly { readonly form: string; readonly example: number }[]
}

export type EditorFacts = {
  readonly languages: readonly EditorLanguage[]
  /** The one that is edited first. */
  readonly language: string
  /** What the originals are written in. */
  readonly own: { readonly tag: string; readonly dir: 'ltr' | 'rtl' }
  readonly path: string
  readonly nonce: string
  readonly key: string
  readonly ajaxUrl: string
  readonly machine: boolean
  readonly mails: readonly { readonly path: string; readonly title: string }[]
}
