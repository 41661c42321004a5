import { currencyHooks, leastRoom } from '#contract/currency/hooks.ts'
import { forgetFragments } from '../../runtime/clear-cached-fragments.ts'
import { allOf } from '../../runtime/elements.ts'

const { openClass, upwardsClass, selectedClass, activeClass } = currencyHooks

/** Characters typed within this time form one word. */
const typingMs = 500

/**
 * Turns a switcher's list of buttons into a listbox (WAI-ARIA Authoring Practices): the focus moves among the options,
 * letters jump, Escape returns to the button. It opens to the side with room.
 */
export function currencyListbox(form: HTMLFormElement): { reset: () => void } {
  const details = form.querySelector('details')
  const trigger = form.querySelector('summary')
  const list = form.querySelector<HTMLElement>(currencyHooks.list)
  if (!details || !trigger || !list) return { reset() {} }
  const options = allOf<HTMLButtonElement>(`.${currencyHooks.optionClass}`, list)
  const present = form.querySelector<HTMLElement>(`.${currencyHooks.presentClass}`)
  const shownBefore = [...(present?.childNodes ?? [])].map((node) => node.cloneNode(true))
  const loader = document.createElement('span')
  loader.className = currencyHooks.loaderClass
  trigger.append(loader)
  trigger.setAttribute('aria-haspopup', 'listbox')
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', trigger.querySelector('.screen-reader-text')?.textContent?.trim() ?? '')
  for (const option of options) {
    option.parentElement?.setAttribute('role', 'none')
    option.setAttribute('role', 'option')
    option.setAttribute('aria-selected', String(option.classList.contains(selectedClass)))
    option.removeAttribute('aria-current')
    option.tabIndex = -1
  }

  const place = () => {
    const { top, bottom } = trigger.getBoundingClientRect()
    const upwards = innerHeight - bottom < leastRoom && top > leastRoom
    for (const part of [details, trigger, list]) part.classList.toggle(upwardsClass, upwards)
  }
  const close = (returning = false) => {
    if (!details.open) return
    if (returning) trigger.focus({ preventScroll: true })
    details.open = false
  }
  const focusOn = (option: HTMLElement | undefined) => {
    option?.focus({ preventScroll: true })
    option?.scrollIntoView({ block: 'nearest' })
  }
  const open = () => {
    place()
    details.open = true
    focusOn(options.find((option) => option.classList.contains(selectedClass)) ?? options[0])
  }

  // Runs before the browser opens the list, so that it never appears on the wrong side.
  trigger.addEventListener('click', (event) => {
    if (form.ariaBusy === 'true') event.preventDefault()
    else if (!details.open) place()
  })
  details.addEventListener('toggle', () => {
    details.classList.toggle(openClass, details.open)
    const inside = document.activeElement
    if (details.open && !list.contains(inside)) focusOn(options.find((one) => one.classList.contains(selectedClass)))
  })
  for (const moved of ['scroll', 'resize'] as const) {
    addEventListener(moved, () => details.open && place(), { passive: true })
  }
  document.addEventListener('click', ({ target }) => !(target instanceof Node && details.contains(target)) && close())
  list.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !details.contains(relatedTarget)) close()
  })

  let typed = ''
  let typedAt = 0
  const jump = (key: string, at: number, now: number) => {
    typed = now - typedAt > typingMs ? key : typed + key
    typedAt = now
    const word = typed.toLocaleLowerCase()
    // Repeating a letter moves to the next option that starts with it.
    const first = [...typed].every((letter) => letter === typed[0]) ? word.slice(0, 1) : word
    const from = first.length === 1 ? at + 1 : Math.max(at, 0)
    const turned = [...options.slice(from), ...options.slice(0, from)]
    focusOn(turned.find((option) => wordsOf(option).some((text) => text.startsWith(first))))
  }
  form.addEventListener('keydown', (event) => {
    const { key, ctrlKey, altKey, metaKey } = event
    const focused = document.activeElement
    const at = focused instanceof HTMLButtonElement ? options.indexOf(focused) : -1
    if (!details.open) {
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return
      event.preventDefault()
      open()
      return
    }
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(at + 1, options.length - 1),
      ArrowUp: Math.max(at - 1, 0),
      Home: 0,
      End: options.length - 1,
    }
    const to = Object.hasOwn(moves, key) ? moves[key] : undefined
    if (to !== undefined) {
      event.preventDefault()
      focusOn(options[to])
    } else if (key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      close(true)
    } else if (key === 'Tab') {
      // The browser continues from the button that the list belongs to.
      close(true)
    } else if (key.length === 1 && key !== ' ' && !ctrlKey && !altKey && !metaKey) {
      jump(key, at, event.timeStamp)
    }
  })

  const reset = () => {
    form.ariaBusy = null
    loader.classList.remove(activeClass)
    present?.replaceChildren(...shownBefore.map((node) => node.cloneNode(true)))
    const { currencies: shown } = form.dataset
    for (const option of options) mark(option, option.value === shown)
    details.open = false
  }
  form.addEventListener('submit', (event) => {
    const chosen = event.submitter
    if (!(chosen instanceof HTMLButtonElement) || form.ariaBusy === 'true') {
      event.preventDefault()
      return
    }
    close(true)
    if (chosen.value === form.dataset.currencies) {
      event.preventDefault()
      return
    }
    form.ariaBusy = 'true'
    forgetFragments()
    for (const option of options) mark(option, option === chosen)
    const flag = chosen.querySelector('svg')?.cloneNode(true)
    present?.replaceChildren(...(flag ? [flag, ' '] : []), chosen.value)
    loader.classList.add(activeClass)
  })
  return { reset }
}

function mark(option: HTMLElement, selected: boolean): void {
  option.classList.toggle(selectedClass, selected)
  option.setAttribute('aria-selected', String(selected))
}

/** The search words of an option: its name and its code. */
const wordsOf = (option: HTMLElement) =>
  allOf('span', option).map((part) => (part.textContent ?? '').toLocaleLowerCase())
