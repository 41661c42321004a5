import {
  addressAttributes,
  type TranslationEntry,
  type TranslatorSettings,
  translateLimits,
} from '#contract/translation/translate.ts'
import { type FoundText, shownIn, write } from './found-text.ts'
import { fetchTranslations, type Send, type TranslatorLog } from './request-translations.ts'
import { islandSelector, skipRules } from './skip-rules.ts'
import type { Answer } from './text-limits.ts'
import type { TextQueue } from './translation-queue.ts'

/**
 * Translates content that was inserted after the page was served. It changes texts and attributes, never the structure,
 * so that references of other scripts stay valid. A text that changes before its translation arrives is left unchanged.
 */

/** Marks a text for the editor. @returns whether the page was changed */
export type Mark = (found: FoundText, entry: TranslationEntry) => void

export type TranslatorParts = {
  readonly settings: TranslatorSettings
  readonly send: Send
  readonly now: () => number
  readonly later: (work: () => void, ms: number) => void
  readonly log: TranslatorLog
  /** Decodes entities to characters. */
  readonly decode: (text: string) => string
  /**
   * Returns true for a text that the shop itself has sent to this page, which is already translated as far as possible.
   */
  readonly isOwn: (text: string) => boolean
  /** Set when the page is in the editor. */
  readonly mark?: Mark
  /** Runs after all known translations were shown. */
  readonly shown?: () => void
}

export type DomTranslator = {
  /** Processes mutation records. */
  take(records: readonly MutationRecord[]): void
}

/** Longer tasks would delay responses to presses. */
const sliceMs = 8

/**
 * State of a text's place: the text written last, the pending look-up, and whether a mutation has reported the blank
 * text.
 */
type Place = { written?: string; found?: FoundText; told: boolean }
type Attribute = { readonly selector: string; readonly name: string }

/** @returns null without work: the page is in the shop's original language, or there is no other */
export function createDomTranslator(parts: TranslatorParts): DomTranslator | null {
  const { settings, now, later, mark } = parts
  const language = settings.trp_language_to_query
  const translates = language === settings.trp_current_language
  if (language === '' || (settings.trp_current_language === settings.trp_original_language && !mark)) return null

  const rules = skipRules(settings)
  const attributes: Attribute[] = Object.values(settings.trp_attributes_selectors).flatMap(
    ({ selector, accessor, attribute }) => (attribute && selector ? [{ selector, name: accessor }] : []),
  )
  const anyAttribute = attributes.map(({ selector }) => selector).join() || ':not(*)'
  const blanksAll = settings.showdynamiccontentbeforetranslation !== '1'

  /** Requested texts, and texts to be requested, with their places. */
  const waiting = new Map<string, FoundText[]>()
  /** Former parents of nodes that scripts have moved. */
  const homes = new WeakMap<Node, Node>()
  let queue: TextQueue | undefined
  let ready: (readonly [FoundText, Answer])[] = []
  let records: MutationRecord[] = []
  const places = new WeakMap<Node, Map<string, Place>>()
  let working = false

  function placeOf(node: Node, name: string): Place {
    const names = places.get(node) ?? new Map<string, Place>()
    places.set(node, names)
    const place = names.get(name) ?? { told: false }
    names.set(name, place)
    return place
  }

  function put(found: FoundText, value: string): void {
    placeOf(found.node, found.name).written = value
    write(found, value)
  }

  function consider(
    node: Text | Element,
    name: string,
    { place: at = node, bare = false, noMachine = false }: { place?: Node; bare?: boolean; noMachine?: boolean } = {},
  ): void {
    const seen = shownIn({ node, name }) ?? ''
    const text = seen.trim()
    if (text === '' || text.length > translateLimits.characters) return
    if (name !== '' && /^(?:#|data:|blob:|javascript:)/.test(text)) return
    const place = placeOf(node, name)
    // Written by this script, or seen before: two mutations may report the same text.
    if (place.written === seen || (place.found?.seen === seen && !place.found.blank)) return
    if (rules.isNoText(text) || queue?.isTooOften({ text, place: at }) || rules.isListed(text, name)) return
    const element = node instanceof Element ? node : node.parentElement
    const found: FoundText = {
      node,
      name,
      place: at,
      text,
      seen,
      noMachine: noMachine || element?.closest(rules.noMachine) !== null,
      blank: false,
    }
    const answer = queue?.answerTo(text, name)
    if (answer) {
      place.found = found
      ready.push([found, answer])
      return
    }
    const others = waiting.get(text)
    if (!others) {
      if (parts.isOwn(text) || queue?.isAtPeace()) return
      queue?.add(text)
    }
    place.found = found
    if (others) others.push(found)
    else waiting.set(text, [found])
    if (translates && name === '' && (bare || blanksAll) && (queue?.dueAt(text) ?? 0) <= now()) {
      found.blank = true
      place.told = false
      put(found, '')
    }
  }

  function considerAttribute(element: Element, { selector, name }: Attribute, place?: Node): void {
    if (!element.matches(selector)) return
    if (settings.trp_base_selectors.some((base) => element.hasAttribute(`${base}-${name}`))) return
    consider(element, name, { place: place ?? element, noMachine: addressAttributes.has(name) })
  }

  function* look(added: Node, place: Node): Generator<void> {
    if (!added.isConnected) return
    if (added instanceof Text) {
      const parent = added.parentElement
      if (parent && !rules.isInside(parent)) consider(added, '', { place, bare: true })
      return
    }
    if (!(added instanceof Element)) return
    if (rules.isInside(added)) {
      for (const island of added.querySelectorAll(islandSelector)) yield* look(island, place)
      return
    }
    const islands: Element[] = []
    const walker = document.createTreeWalker(added, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
      if (node instanceof Text || (node instanceof Element && !node.matches(rules.selector)))
        return NodeFilter.FILTER_ACCEPT
      if (node instanceof Element) islands.push(...node.querySelectorAll(islandSelector))
      return NodeFilter.FILTER_REJECT
    })
    // The walker does not apply its filter to its own root.
    for (let node: Node | null = added; node; node = walker.nextNode()) {
      // Removed while the walk was suspended: the walker cannot continue from there.
      if (!added.contains(node)) return yield* look(added, place)
      if (node instanceof Text) consider(node, '', { place })
      else if (node instanceof Element && node.matches(anyAttribute)) {
        for (const attribute of attributes) considerAttribute(node, attribute, place)
      }
      yield
    }
    for (const island of islands) yield* look(island, place)
  }

  function* scan({ type, target, addedNodes, attributeName }: MutationRecord): Generator<void> {
    if (type === 'childList') {
      let place = target
      for (let node: Node | null = target; node; node = node.parentNode) place = homes.get(node) ?? place
      for (const node of addedNodes) {
        homes.set(node, place)
        yield* look(node, place)
      }
    } else if (target instanceof Text) {
      const place = placeOf(target, '')
      if (target.data === '' && place.found?.blank) {
        // The first report is our own write. A second one means that another script cleared the text.
        if (place.told) delete place.found
        place.told = true
        return
      }
      const parent = target.parentElement
      if (parent && target.isConnected && !rules.isInside(parent)) consider(target, '')
    } else if (target instanceof Element && target.isConnected && !rules.isInside(target)) {
      for (const attribute of attributes) if (attribute.name === attributeName) considerAttribute(target, attribute)
    }
  }

  /** Returns true if a text is as found or as written here; texts changed by others are not touched. */
  function isOurs(found: FoundText): boolean {
    const place = placeOf(found.node, found.name)
    return place.found === found && shownIn(found) === (found.blank ? '' : found.seen)
  }

  function settle(found: FoundText, { translated, entry }: Answer): void {
    queue?.count(found, translated !== '')
    if (!isOurs(found)) return
    delete placeOf(found.node, found.name).found
    const said = translates && translated !== ''
    if (said || found.blank) put(found, said ? found.seen.replace(found.text, () => translated) : found.seen)
    if (entry) mark?.(found, entry)
  }

  /** Restores a blank text. */
  function restore(found: FoundText): void {
    if (!found.blank || !isOurs(found)) return
    put(found, found.seen)
    found.blank = false
  }

  function* work(): Generator<void> {
    while (records.length > 0) {
      const batch = records
      records = []
      for (const record of batch) {
        yield* scan(record)
        yield
      }
    }
    // Counted once all of them are found, so that many equal texts inserted together are handled together.
    const batch = ready
    ready = []
    for (const [found, answer] of batch) {
      settle(found, answer)
      yield
    }
  }

  let job = work()
  function run(): void {
    const until = now() + sliceMs
    working = true
    while (now() < until) {
      if (!job.next().done) continue
      job = work()
      if (records.length > 0 || ready.length > 0) continue
      working = false
      void planToAsk()
      parts.shown?.()
      return
    }
    later(run, 0)
  }

  /** The request code is loaded with the first text to request. */
  async function planToAsk(): Promise<void> {
    if (waiting.size === 0) return
    const { createTranslationQueue } = await import('./translation-queue.ts').catch((error: unknown) => {
      // Same as without a response: waiting texts are restored, and the next text retries.
      parts.log.error(String(error))
      for (const found of [...waiting.values()].flat()) restore(found)
      waiting.clear()
      return { createTranslationQueue: null }
    })
    if (createTranslationQueue)
      queue ??= createTranslationQueue({
        waiting,
        allowed: Number(settings.duplicate_detections_allowed),
        now,
        later,
        ask: (texts, skipMachine) => fetchTranslations({ ...parts, editing: mark !== undefined }, texts, skipMachine),
        said: (entry) => parts.decode(entry?.translationsArray[language]?.translated ?? ''),
        isOurs,
        restore,
        settle(found) {
          for (const one of found) ready.push(one)
          if (!working) run()
        },
      })
    queue?.plan()
  }

  return {
    take(changed) {
      for (const record of changed) records.push(record)
      if (!working) run()
    },
  }
}
