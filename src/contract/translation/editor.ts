import { z } from 'zod'

/** The translation editor: the data that its page, the shop in its frame and the server exchange. */

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
 * Query parameters of a shop URL that marks its texts. The key is bound to the translator's session. The first equals
 * `editParameter` of translate.ts; importing it here would send the editor's schemas to every visitor.
 */
export const editorParameter = { parameter: 'trp-edit-translation', value: 'preview', key: 'trp-edit-key' } as const

/** @returns an address of the shop as the editor's frame shows it */
export function editorUrl(address: string, key: string): string {
  const [withoutHash = '', hash] = address.split('#', 2)
  const sign = withoutHash.includes('?') ? '&' : '?'
  const marked = `${withoutHash}${sign}${editorParameter.parameter}=${editorParameter.value}&${editorParameter.key}=${encodeURIComponent(key)}`
  return hash === undefined ? marked : `${marked}#${hash}`
}

/** Actions of the editor's nonces. */
export const editorNonces = { calls: 'trp_editor', frame: 'trp_editor_frame' } as const

/**
 * How texts are marked: by an element around a text; for attributes, and where no element is allowed, on the existing
 * element.
 */
export const marks = {
  tag: 'translate-press',
  id: 'data-trp-translate-id',
  group: 'data-trp-node-group',
  /** Values of the text's placeholders, as JSON. */
  values: 'data-trp-values',
  /** Plural category of the displayed form. */
  form: 'data-trp-form',
  /** Inner markup: updated by a page load, not by writing into it. */
  markup: 'data-trp-markup',
  of: (attribute: string) => ({
    id: `data-trp-translate-id-${attribute}`,
    group: `data-trp-node-group-${attribute}`,
  }),
} as const

/** Id of the element with the frame page's JSON. */
export const frameElementId = 'vitrine-editor-frame'
export const frameFacts = z.object({
  /** The edited language. */
  language: z.string(),
  /** For the calls of the page in the frame. */
  nonce: z.string(),
  ajaxUrl: z.string(),
  key: z.string(),
  /** The page's URL without the editor's parameters. */
  path: z.string(),
  words: z.object({ edit: z.string(), outside: z.string(), notHere: z.string() }),
})
export type FrameFacts = z.infer<typeof frameFacts>

const textId = z.number().int().positive()
const someText = z.string().max(100_000)

/** A text of the page in the frame. */
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
  /** Displayed, not saved. */
  z.object({ type: z.literal('preview'), id: textId, forms: z.record(z.string(), someText) }),
  z.object({ type: z.literal('saved'), id: textId, forms: z.record(z.string(), someText) }),
  z.object({ type: z.literal('statuses'), of: z.array(z.tuple([textId, z.number().int().min(0).max(3)])).max(5000) }),
])
export type ToFrame = z.infer<typeof toFrame>

/** Id of the element with the editor page's JSON. */
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
  /** Its plural categories, each with an example count. */
  readonly plurals: readonly { readonly form: string; readonly example: number }[]
}

export type EditorFacts = {
  readonly languages: readonly EditorLanguage[]
  /** The initially edited language. */
  readonly language: string
  /** The language of the originals. */
  readonly own: { readonly tag: string; readonly dir: 'ltr' | 'rtl' }
  readonly path: string
  readonly nonce: string
  readonly key: string
  readonly ajaxUrl: string
  readonly machine: boolean
  readonly mails: readonly { readonly path: string; readonly title: string }[]
}
