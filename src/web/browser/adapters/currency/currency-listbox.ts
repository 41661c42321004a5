import { currencyHooks, leastRoom } from '#contract/currency/hooks.ts'
import { forgetFragments } from '../../runtime/clear-cached-fragments.ts'
import { allOf } from '../../runtime/elements.ts'
import { Listbox } from '../../runtime/listbox.ts'

const { openClass, upwardsClass, selectedClass, activeClass } = currencyHooks

/**
 * Turns a switcher's list of buttons into a listbox whose options take the focus. It opens to the side with room.
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
  const listbox = new Listbox({
    options: () => options,
    wordsOf,
    closesOnTab: true,
    close: () => close(true),
  })
  const open = () => {
    place()
    details.open = true
    listbox.activate(options.find((option) => option.classList.contains(selectedClass)) ?? options[0])
  }

  // Runs before the browser opens the list, so that it never appears on the wrong side.
  trigger.addEventListener('click', (event) => {
    if (form.ariaBusy === 'true') event.preventDefault()
    else if (!details.open) place()
  })
  details.addEventListener('toggle', () => {
    details.classList.toggle(openClass, details.open)
    const inside = document.activeElement
    if (details.open && !list.contains(inside))
      listbox.activate(options.find((one) => one.classList.contains(selectedClass)))
  })
  for (const moved of ['scroll', 'resize'] as const) {
    addEventListener(moved, () => details.open && place(), { passive: true })
  }
  document.addEventListener('click', ({ target }) => !(target instanceof Node && details.contains(target)) && close())
  list.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !details.contains(relatedTarget)) close()
  })

  form.addEventListener('keydown', (event) => {
    if (details.open) {
      listbox.onKey(event)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      open()
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
const wordsOf = (option: HTMLElement) => allOf('span', option).map((part) => part.textContent ?? '')
