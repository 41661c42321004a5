import { consentEvents, consentHooks } from '#contract/statistics/consent.ts'
import { answerConsent, gpc, isConsented, isConsentUndecided } from './consent.ts'

/**
 * Starts the consent banner with its choices: a single form to give and to withdraw consent, opened by the links in the
 * footer.
 * @returns a function that shows the banner at the bottom of the window without moving the focus
 */
export function consentForm(form: HTMLElement, asks: readonly string[]): { ask: () => void } {
  const find = (selector: string) => form.querySelectorAll<HTMLElement>(selector)
  const boxes = form.querySelectorAll<HTMLInputElement>('input[name]')
  let openedBy: HTMLElement | undefined

  const show = (choices: boolean) => {
    for (const box of boxes) box.checked = isConsented(box.name)
    for (const note of find('[data-gpc]')) note.hidden = !gpc
    for (const part of find('[data-when]')) part.hidden = (part.dataset.when === 'choices') !== choices
    for (const close of find('[value=close]')) close.hidden = isConsentUndecided(asks)
    form.hidden = false
    form.scrollTop = 0
    if (!choices) return
    boxes[0]?.focus({ preventScroll: true })
    // In a low window the bars stand at the end of the page and are not fixed.
    if (form.getBoundingClientRect().bottom > innerHeight + 1) form.scrollIntoView()
  }

  const hide = () => {
    const focused = form.contains(document.activeElement)
    form.hidden = true
    // The focused element is gone: the focus returns to its opener.
    if (focused) (openedBy ?? document.querySelector('main'))?.focus({ preventScroll: openedBy === undefined })
    openedBy = undefined
  }

  const answer = (agrees: (category: string) => boolean) => {
    const takenBack = asks.some((category) => isConsented(category) && !agrees(category))
    // Read before the first answer is given: the boxes change with it.
    const given = asks.map((category) => [category, agrees(category)] as const)
    hide()
    for (const [category, agreed] of given) answerConsent(category, agreed ? 'allow' : 'deny')
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
  // Enter in a box submits a form; this one has no target.
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    if (!isConsentUndecided(asks)) return hide()
    show(false)
    for (const choose of find('[value=choose]')) choose.focus({ preventScroll: true })
  })
  document.addEventListener(consentEvents.changed, () => {
    if (!openedBy && !isConsentUndecided(asks)) hide()
  })
  // Sets the height of the bars for the styles, so that no focused element is hidden behind them.
  const bars = form.parentElement
  if (bars) {
    new ResizeObserver(() => {
      document.documentElement.style.setProperty('--bottom-h', `${bars.offsetHeight}px`)
    }).observe(bars)
  }

  for (const link of document.querySelectorAll<HTMLElement>(consentHooks.link)) {
    link.role = 'button'
    link.addEventListener('click', (event) => {
      event.preventDefault()
      openedBy = link
      show(true)
    })
  }
  return { ask: () => show(false) }
}
