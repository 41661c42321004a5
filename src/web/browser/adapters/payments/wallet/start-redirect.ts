import { walletMethodId } from '#contract/payments/constants.ts'
import { formFields } from '../checkout-form.ts'
import { shownTerms } from './purchase.ts'

/** Pays without the provider's script: posts a form's values to the shop, which redirects to the wallet. */
export function startByRedirect(url: string, source: HTMLFormElement | null, extra: Record<string, string> = {}): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = url
  form.hidden = true
  const fields = { ...(source ? formFields(source) : {}), ...extra, ...shownTerms(), wallet: walletMethodId }
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}
