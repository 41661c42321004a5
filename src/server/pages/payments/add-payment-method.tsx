import { cardMethodId, isProviderMethod, paymentFields, providerMethods } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { isSavable, methodsToAdd } from '#shop/payments/operation/payment-methods.ts'
import { startSavingMethod } from '#shop/payments/vault/create-setup-token.ts'
import { type KeepResult, saveApprovedMethod } from '#shop/payments/vault/save-approved-method.ts'
import { hasSaved } from '#shop/payments/vault/saved-methods.ts'
import { AddPaymentMethodPage } from '#web/pages/payments/add-payment-method-page.tsx'
import { staleFormNotice } from '../../customers/account-notices.ts'
import { seeOther } from '../../http/redirect.ts'
import type { Visit } from '../../http/visit.ts'
import { errorNotice, escapeHtml } from '../../notices/cart-notices.tsx'
import { type SaveMethodRefusal, saveMethodProblem } from '../../payments/save-method-refusal.ts'
import { postedText } from '../customers/account-answer.tsx'
import { customerPage, type Owner } from '../customers/customer-page.ts'
import { privatePage } from '../shared/page-answer.tsx'

const action = 'woocommerce-add-payment-method'

/** Checks whether this shop can save payment methods. */
export function canAddMethods({ app }: Visit): boolean {
  return providerMethods.some((method) => isSavable(app.tools, method))
}

export const addPaymentMethodPage = customerPage((visit, owner) => page(visit, owner))

/**
 * Handles the page's form. With the token of a method that a script has had approved and saved, it only reports the
 * result; without one it starts the wallet by redirect.
 */
export const addPaymentMethodForm = customerPage(async (visit, { customerId }) => {
  const shop = await visit.app.shop()
  const { tools } = visit.app
  const fields = await visit.fields()
  const again = async (text: string) => {
    await visit.addNotice(errorNotice(text))
    return seeOther(urls.addPaymentMethod())
  }
  if (!(await visit.isNonce(fields[`${action}-nonce`], action))) {
    await visit.addNotice(staleFormNotice(shop))
    return seeOther(urls.addPaymentMethod())
  }
  const method = postedText(fields, 'payment_method')
  if (!isProviderMethod(method) || !isSavable(tools, method)) return again(shop.t('Please choose a payment method.'))
  const token = postedText(fields, paymentFields(method).paymentToken)
  if (token !== '') {
    if (!(await hasSaved(tools, customerId, { method, token }))) {
      return again(await saveMethodProblem(visit, { reason: 'unknown' }))
    }
    return saved(visit)
  }
  if (method === cardMethodId) {
    return again(shop.t('Saving a card requires JavaScript in your browser. You can save PayPal without it.'))
  }
  const begun = await startSavingMethod(tools, await visit.session(), {
    method,
    context: 'add_payment_method',
    ip: visit.ip,
  })
  return begun.ok && begun.approveUrl !== '' ? seeOther(begun.approveUrl) : refuse(visit, refusalOf(begun), again)
})

function refusalOf(begun: Awaited<ReturnType<typeof startSavingMethod>>): Pick<SaveMethodRefusal, 'reason'> {
  return begun.ok ? { reason: 'refused' } : begun
}

async function refuse(
  visit: Visit,
  refusal: Pick<SaveMethodRefusal, 'reason'>,
  again: (text: string) => Promise<Response>,
): Promise<Response> {
  return again(await saveMethodProblem(visit, refusal))
}

async function saved(visit: Visit): Promise<Response> {
  const { t } = await visit.app.shop()
  await visit.addNotice({ kind: 'success', html: escapeHtml(t('Payment method saved.')) })
  return seeOther(urls.paymentMethods())
}

async function page(visit: Visit, { logOutNonce }: Owner): Promise<Response> {
  const { t } = await visit.app.shop()
  const nonces = { [action]: await visit.nonce(action), wp_rest: await visit.nonce('wp_rest') }
  const methods = await methodsToAdd(visit.app.tools)
  return privatePage(
    visit,
    {
      kind: 'account',
      script: 'add_payment_method',
      robots: 'noindex',
      canonical: urls.account(),
      title: t('Add payment method'),
      bodyClasses: ['woocommerce-add-payment-method'],
      element: <AddPaymentMethodPage methods={methods} nonce={nonces[action] ?? ''} logOutNonce={logOutNonce} />,
    },
    nonces,
  )
}

/** Handles the provider's return after approval: saves the payment method, and continues on the page that began. */
export async function methodKept(visit: Visit): Promise<Response> {
  const kept = await saveApprovedMethod(visit.app.tools, await visit.session(), { key: keyOf(visit) })
  if (!kept.ok) return backWith(visit, kept)
  if (kept.row.context === 'add_payment_method') return saved(visit)
  const { t } = await visit.app.shop()
  await visit.addNotice({
    kind: 'success',
    html: escapeHtml(t('Your payment method is ready. Please review your order, then place it.')),
  })
  return seeOther(urls.checkout())
}

/** Handles the provider's return without approval. */
export async function methodNotKept(visit: Visit): Promise<Response> {
  return backWith(visit, { ok: false, reason: 'not-approved' })
}

async function backWith(visit: Visit, refusal: KeepResult & { ok: false }): Promise<Response> {
  await visit.addNotice(errorNotice(await saveMethodProblem(visit, refusal)))
  const { state } = await visit.session()
  const buying = (await visit.customerId()) === null && state.lines.length > 0
  return seeOther(buying ? urls.checkout() : urls.addPaymentMethod())
}

function keyOf(visit: Visit): string {
  return (visit.url.searchParams.get('key') ?? '').slice(0, 100)
}
