import { frameElementId, marks } from '#contract/translation/editor.ts'
import { isRecord, parseJson } from '../../../runtime/request.ts'
import type { Mark, TranslatorParts } from './dom-translator.ts'

/** In the editor a text gets an element of its own that says which it is; an attribute's element says it itself. */
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

/** Told to the page, and from there to the editor, whenever texts have got their marks. */
const pageUpdated = 'trp_iframe_page_updated'

/**
 * What is different in the editor: its own nonce, the platform's door, and marks. The server has printed them only where the
 * page is asked for by somebody who translates; else null.
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
