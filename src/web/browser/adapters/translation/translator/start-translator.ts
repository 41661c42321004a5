import { editParameter, type TranslatorSettings } from '#contract/translation/translate.ts'
import { postForm } from '../../../runtime/request.ts'
import { settings } from '../../../runtime/settings.ts'
import { insertedMarkup, parsePage } from '../../../runtime/trusted-markup.ts'
import { createDomTranslator } from './dom-translator.ts'
import { ownTexts } from './own-texts.ts'
import type { Send } from './request-translations.ts'

/**
 * Starts the translation of inserted content.
 * @param watch the observer that collects changes until then
 * @param missed the changes that it collected
 */
export async function startTranslator(watch: MutationObserver, missed: readonly MutationRecord[][]): Promise<void> {
  // Proof of the cast: the server prints all of these settings, and without them this code is not loaded.
  const printed = settings('trp_data') as TranslatorSettings
  const editor = new URLSearchParams(location.search).has(editParameter)
    ? (await import('./mark-for-editor.ts')).editorOf(document)
    : null
  const asked = { ...printed, ...editor?.settings }
  const came = new WeakSet<Node>()
  const changed = new WeakSet<Node>()
  const gone = new Set<Node>()
  const addresses = { fast: asked.trp_custom_ajax_url, platform: asked.trp_wp_ajax_url }
  const send: Send = async (door, fields, signal) => {
    const { ok, status, text } = await postForm(addresses[door], fields, { signal })
    if (!ok) throw new Error(`status ${status}`)
    return text
  }
  const translator = createDomTranslator({
    settings: asked,
    send,
    now: () => performance.now(),
    later: (work, ms) => setTimeout(work, ms),
    log: { notice: (text) => console.info(text), error: (text) => console.error(text) },
    decode,
    isOwn: ownTexts({ attributes: asked.trp_attributes_accessors, markup: insertedMarkup, gone, came, changed }),
    ...(editor?.parts ?? {}),
  })
  const take = (records: readonly MutationRecord[]) => {
    for (const { type, target, addedNodes, removedNodes } of records) {
      // Parts of the served page may be removed and inserted again: they stay the shop's.
      for (const node of removedNodes) if (!came.has(node)) gone.add(node)
      for (const node of addedNodes) if (!gone.has(node)) came.add(node)
      if (type !== 'childList') changed.add(target)
    }
    translator?.take(records)
  }
  new MutationObserver(take).observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: asked.trp_attributes_accessors,
  })
  take([...missed.flat(), ...watch.takeRecords()])
  watch.disconnect()
}

/** Decodes as text: decoded entities are never parsed as markup. */
function decode(text: string): string {
  return text.includes('&') ? (parsePage(`<body>${text.replaceAll('<', '&lt;')}`).body.textContent ?? '') : text
}
