import { frameElementId, marks } from '#contract/translation/editor.ts'
import { isRecord, parseJson } from '../../../runtime/request.ts'
import type { Mark, TranslatorParts } from './dom-translator.ts'

/** In the editor a text is wrapped in an element that identifies it; for attributes the existing element is marked. */
const mark: Mark = ({ node, name }, { dbID, group }) => {
  if (dbID === undefined) return
  if (node instanceof Element) {
    const of = marks.of(name)
    node.setAttribute(of.id, String(dbID))
    node.setAttribute(of.group, group)
    return
  }
  const { parentElement } = node
  if (!parentElement || parentElement.localName === marks.tag) return
  const around = document.createElement(marks.tag)
  around.setAttribute(marks.id, String(dbID))
  around.setAttribute(marks.group, group)
  node.before(around)
  around.append(node)
}

/** Sent to the page, and from there to the editor, after each marking. */
const pageUpdated = 'trp_iframe_page_updated'

/**
 * Returns the editor's settings: its own nonce, the platform's endpoint, and marks. The server prints them only for
 * translators; otherwise null.
 */
export function editorOf(page: Document) {
  const facts = parseJson(page.getElementById(frameElementId)?.textContent ?? '')
  if (!isRecord(facts)) return null
  return {
    settings: { gettranslationsnonceregular: String(facts.nonce), trp_wp_ajax_url: String(facts.ajaxUrl) },
    parts: {
      mark,
      shown: () => dispatchEvent(new CustomEvent(pageUpdated)),
    } satisfies Partial<TranslatorParts>,
  }
}
