import { type ConsentAnswer, consentEvents, consentHooks } from '#contract/consent.ts'
import { gpc, mayKeep, undecided } from './consent.ts'

type Form = {
  /** Asks, at the bottom of the window, without taking the focus from anybody. */
  ask: () => void
  /** Opens the choices for somebody who wants to see or change them. */
  open: (link: HTMLElement) => void
}

/** The question and the choices behind it: one form, for agreeing as for taking it back. */
export function consentForm(form: HTMLElement, asks: readonly string[]): Form {
  const find = (selector: string) => form.querySelectorAll<HTMLElement>(selector)
  const boxes = form.querySelectorAll<HTMLInputElement>('input[name]')
  let openedBy: HTMLElement | undefined

  const show = (choices: boolean) => {
    for (const box of boxes) box.checked = mayKeep(box.name, true)
    for (const note of find('[data-gpc]')) note.hidden = !gpc()
    for (const part of find('[data-when]')) part.hidden = (part.dataset.when === 'choices') !== choices
    for (const close of find('[value=close]')) close.hidden = undecided(asks)
    form.hidden = false
    if (choices) boxes[0]?.focus({ preventScroll: true })
  }

  const hide = () => {
    const focused = form.contains(document.activeElement)
    form.hidden = true
    // What had the focus is gone: it goes on where it came from.
    if (focused) (openedBy ?? document.querySelector('main'))?.focus({ preventScroll: openedBy === undefined })
    openedBy = undefined
  }

  const answer = (agrees: (category: string) => boolean) => {
    const takenBack = asks.some((category) => mayKeep(category, true) && !agrees(category))
    const given = asks.map((category): [string, ConsentAnswer] => [category, agrees(category) ? 'allow' : 'deny'])
    hide()
    for (const [category, value] of given) Reflect.get(window, 'wp_set_consent')?.(category, value)
    const { takenback = '', saved = '' } = form.dataset
    for (const status of document.querySelectorAll(consentHooks.status))
      status.textContent = takenBack ? takenback : saved
  }

  const ticked = (category: string) => [...boxes].some(({ name, checked }) => name === category && checked)
  const presses: Record<string, () => void> = {
    all: () => answer(() => true),
    none: () => answer(() => false),
    choose: () => show(true),
    save: () => answer(ticked),
    close: hide,
  }

  form.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement) presses[target.value]?.()
  })
  // Enter in a box sends a form; this one has nowhere to go.
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    if (!undecided(asks)) hide()
    else show(false)
  })
  document.addEventListener(consentEvents.changed, () => {
    if (!openedBy && !undecided(asks)) hide()
  })
  // What has the focus is never to be behind the bars: the styles are told how high they are.
  const bars = form.parentElement
  if (bars) {
    new ResizeObserver(() => {
      document.documentElement.style.setProperty('--bottom-h', `${bars.offsetHeight}px`)
    }).observe(bars)
  }

  return {
    ask: () => show(false),
    open(link) {
      openedBy = link
      show(true)
    },
  }
}
