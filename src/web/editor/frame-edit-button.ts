import { idOf } from './frame-texts.ts'

/** The edit button at the text under the pointer or the focus; a page has a single one. */
export function pencil(label: string, press: (id: number) => void) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'trp-pencil'
  button.hidden = true
  button.title = label
  button.tabIndex = -1
  button.setAttribute('aria-label', label)
  button.textContent = '✎'
  let at: Element | null = null
  button.addEventListener('click', () => {
    const id = idOf(at)
    if (id !== undefined) press(id)
  })
  document.body.append(button)

  return {
    owns: (node: Node) => button.contains(node),
    hide() {
      at = null
      button.hidden = true
    },
    at(element: Element | null) {
      if (!element || element === at) return
      const [first] = element.getClientRects()
      if (!first) return
      at = element
      button.hidden = false
      // Above the start of the text, or before it if there is no room above: it covers no text.
      const rtl = getComputedStyle(element).direction === 'rtl'
      const { offsetWidth: width, offsetHeight: height } = button
      const beside = rtl ? first.right + 2 : first.left - width - 2
      const isRoom = beside >= 2 && beside + width <= window.innerWidth - 2
      const left = isRoom ? beside : rtl ? first.right - width : first.left
      const top = isRoom ? first.top + (first.height - height) / 2 : first.top - height - 2
      button.style.left = `${Math.min(Math.max(2, left), window.innerWidth - width - 2)}px`
      button.style.top = `${Math.max(2, top)}px`
    },
  }
}
