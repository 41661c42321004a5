import './no-eval.ts'
import {
  editorParameter,
  editorUrl,
  type FrameFacts,
  type FrameText,
  type FromFrame,
  frameElementId,
  frameFacts,
  marks,
  toFrame,
} from '#contract/translation/editor.ts'
import { pencil } from './frame-edit-button.ts'
import { idOf, markedIn, marksOf, shownText, textsIn, writeInto } from './frame-texts.ts'

/**
 * Script of the editor's frame: reports the page's texts, lets a translator choose one by pointer and keyboard, and
 * shows drafts. It cannot save anything.
 */

const statusAttribute = 'data-trp-status'
const chosenAttribute = 'data-trp-chosen'

function start(facts: FrameFacts): void {
  const { origin } = window.location
  const editor = window.parent
  const tell = (message: FromFrame) => editor.postMessage(message, origin)
  let picking = true
  let statuses: ReadonlyMap<number, number> = new Map()
  const sign = pencil(facts.words.edit, (id) => tell({ type: 'select', id }))

  const show = (root: ParentNode) => {
    for (const element of markedIn(root)) {
      const status = Math.min(...marksOf(element).map(({ id }) => statuses.get(id) ?? 0))
      if (statuses.size > 0) element.setAttribute(statusAttribute, String(status))
      setFocusable(element, picking)
    }
    for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href]')) prepareLink(link, facts)
  }

  let due = 0
  const list = () => {
    due = 0
    show(document)
    const texts: FrameText[] = textsIn(document)
    tell({ type: 'strings', texts: texts.slice(0, 5000) })
  }
  const later = () => {
    if (due === 0) due = window.setTimeout(list, 100)
  }

  tell({ type: 'ready', path: facts.path, title: document.title })
  list()
  new MutationObserver((records) => {
    const added = records.some(({ addedNodes }) =>
      [...addedNodes].some((node) => node instanceof Element && !sign.owns(node)),
    )
    if (added) later()
  }).observe(document.body, { childList: true, subtree: true })

  window.addEventListener('message', ({ data, source, origin: from }) => {
    if (source !== editor || from !== origin) return
    const read = toFrame.safeParse(data)
    if (!read.success) return
    const message = read.data
    switch (message.type) {
      case 'mode':
        picking = message.picking
        document.documentElement.toggleAttribute('data-trp-picking', picking)
        if (!picking) sign.hide()
        show(document)
        break
      case 'statuses':
        statuses = new Map(message.of)
        show(document)
        break
      case 'select':
        choose(message.id, message.scroll)
        break
      default:
        for (const element of markedIn(document)) writeInto(element, message.id, message.forms)
    }
  })

  // Capture runs before the page's own scripts: choosing an element does not press it.
  window.addEventListener(
    'click',
    (event) => {
      const target = event.target instanceof Element ? event.target : null
      if (!target || sign.owns(target)) return
      const marked = picking ? target.closest(`[${marks.id}], ${attributeMarks}`) : null
      if (marked) {
        cancelEvent(event)
        const id = idOf(marked)
        if (id !== undefined) tell({ type: 'select', id })
        return
      }
      const link = target.closest<HTMLAnchorElement>('a[href]')
      if (link && isOutside(link)) {
        cancelEvent(event)
        tell({ type: 'leaves', outside: true })
      } else if (picking && target.closest('a[href], button, summary, label, input')) cancelEvent(event)
    },
    true,
  )
  window.addEventListener(
    'submit',
    (event) => {
      const form = event.target
      if (!(form instanceof HTMLFormElement)) return
      const method = (event.submitter?.getAttribute('formmethod') ?? form.method).toLowerCase()
      if (method === 'get') return keepEditing(form, facts)
      // Adding to the cart is allowed, to see the texts of a filled cart.
      if (!picking && form.matches('form.cart')) return
      cancelEvent(event)
      tell({ type: 'leaves', outside: false })
    },
    true,
  )
  window.addEventListener('pointerover', ({ target }) => {
    if (picking && target instanceof Element) sign.at(target.closest(`[${marks.id}], ${attributeMarks}`))
  })
  window.addEventListener('focusin', ({ target }) => {
    if (picking && target instanceof Element) sign.at(target.closest(`[${marks.id}], ${attributeMarks}`))
  })
  window.addEventListener('scroll', () => sign.hide(), { passive: true, capture: true })
  window.addEventListener(
    'keydown',
    (event) => {
      const key = shortcut(event)
      if (key) {
        cancelEvent(event)
        tell({ type: 'key', key })
        return
      }
      const target = event.target instanceof Element ? event.target : null
      if (picking && event.key === 'Enter' && target && !sign.owns(target)) {
        const id = idOf(target) ?? idOf(target.querySelector(`[${marks.id}]`))
        if (id === undefined) return
        cancelEvent(event)
        tell({ type: 'select', id })
      }
    },
    true,
  )
}

const attributeMarks = ['title', 'alt', 'placeholder', 'aria-label', 'value']
  .map((name) => `[${marks.of(name).id}]`)
  .join(', ')

function cancelEvent(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** Makes texts focusable that the keyboard cannot reach otherwise. */
function setFocusable(element: Element, picking: boolean): void {
  if (element.localName !== marks.tag) return
  if (!picking || element.closest('a[href], button, summary, input, select')) element.removeAttribute('tabindex')
  else element.setAttribute('tabindex', '0')
}

function choose(id: number, scroll: boolean): void {
  for (const element of document.querySelectorAll(`[${chosenAttribute}]`)) element.removeAttribute(chosenAttribute)
  const all = markedIn(document).filter((element) => marksOf(element).some((mark) => mark.id === id))
  for (const element of all) element.setAttribute(chosenAttribute, '')
  const seen = all.find((element) => element.checkVisibility())
  if (scroll) seen?.scrollIntoView({ block: 'center', behavior: 'instant' })
}

const isOutside = (link: HTMLAnchorElement) =>
  link.origin !== window.location.origin ||
  link.hasAttribute('download') ||
  /^\/(?:wp-admin|wp-json|assets|media|download|translate)\b/.test(link.pathname) ||
  link.pathname.includes('customer-logout')

/** Keeps links of the shop in the editor, and marks others as leading out of it. */
function prepareLink(link: HTMLAnchorElement, { key, words }: FrameFacts): void {
  if (link.dataset.trpLed !== undefined || link.getAttribute('href')?.startsWith('#')) return
  link.dataset.trpLed = ''
  if (isOutside(link)) {
    link.dataset.trpUnpreviewable = 'trp-unpreviewable'
    link.setAttribute('aria-description', words.outside)
    return
  }
  const url = new URL(link.href)
  if (!url.searchParams.has(editorParameter.parameter)) link.href = editorUrl(url.pathname + url.search + url.hash, key)
  link.target = '_self'
}

function keepEditing(form: HTMLFormElement, { key }: FrameFacts): void {
  for (const [name, value] of [
    [editorParameter.parameter, editorParameter.value],
    [editorParameter.key, key],
  ] as const) {
    if (form.elements.namedItem(name)) continue
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name, value })
    form.append(field)
  }
}

/** Returns the editor's shortcut for a key pressed in the frame. */
function shortcut({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): (FromFrame & { type: 'key' })['key'] | null {
  const name = key.toLowerCase()
  if ((ctrlKey || metaKey) && !altKey && name === 's') return 'save'
  if (!ctrlKey || !altKey) return null
  if (name === 'arrowright') return 'next'
  if (name === 'arrowleft') return 'previous'
  return name === 'z' ? 'discard' : null
}

const printed = document.getElementById(frameElementId)?.textContent
// Outside of the editor's frame the page is a plain page.
if (printed && window.parent !== window) {
  const facts = frameFacts.safeParse(JSON.parse(printed))
  if (facts.success) start(facts.data)
}

export { shownText }
