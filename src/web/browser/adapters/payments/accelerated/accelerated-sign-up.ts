import { fastlaneHooks } from '#contract/payments/constants.ts'
import type { CardSettings } from '#contract/payments/page-settings.ts'
import { openModal } from '../../../runtime/modal.ts'
import { parseMarkup } from '../../../runtime/trusted-markup.ts'
import type { Accelerated, AcceleratedCard, AcceleratedPayment } from '../provider.ts'

type Options = {
  readonly provider: Accelerated
  readonly settings: CardSettings
  /** The billing address of the form. */
  readonly address: Readonly<Record<string, string>>
  /** Returns the text of an error; undefined for a value that is no error. */
  textFor(error: unknown): string | undefined
}

/**
 * Asks a shopper without a provider account for a card, in a modal window.
 * @returns undefined when the window was closed
 * @throws PaymentFailure when the provider could not render its form
 */
export async function signUp({ provider, settings, address, textFor }: Options): Promise<AcceleratedCard | undefined> {
  const layer = parseMarkup(settings.html.modal).firstElementChild
  if (!(layer instanceof HTMLElement)) return undefined
  const part = <Kind extends HTMLElement>(name: string) =>
    layer.querySelector<Kind>(`.${fastlaneHooks.modalBodyClass} .wc-ppcp-popup__${name}`)
  const [place, use, said] = [part('payment'), part<HTMLButtonElement>('use'), part('error')]
  if (!place || !use || !said) return undefined

  let payment: AcceleratedPayment | undefined
  let close = () => {}
  const chosen = new Promise<AcceleratedCard | undefined>((resolve) => {
    const modal = openModal(layer, `.${fastlaneHooks.modalCloseClass}`, () => {
      payment?.close()
      resolve(undefined)
    })
    close = modal.close
    use.disabled = true
    use.addEventListener('click', async () => {
      use.disabled = true
      said.textContent = ''
      try {
        const card = await payment?.token()
        resolve(card)
        modal.close()
      } catch (error) {
        said.textContent = textFor(error) ?? ''
      }
      use.disabled = false
    })
  })
  try {
    payment = await provider.mountPayment(place, address)
    use.disabled = false
  } catch (error) {
    close()
    throw error
  }
  return chosen
}
