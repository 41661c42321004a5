import { urls } from '#contract/shared/urls.ts'
import { deleteSavedMethod, readSavedMethods, setDefaultMethod } from '#shop/payments/vault/saved-methods.ts'
import { PaymentMethodsPage } from '#web/pages/payments/payment-methods-page.tsx'
import { staleFormNotice } from '../../customers/account-notices.ts'
import { seeOther } from '../../http/redirect.ts'
import type { Visit } from '../../http/visit.ts'
import { errorNotice, escapeHtml } from '../../notices/cart-notices.tsx'
import { accountAnswer } from '../customers/account-answer.tsx'
import { customerPage, type Owner } from '../customers/customer-page.ts'
import { canAddMethods } from './add-payment-method.tsx'

const actions = { remove: 'delete-payment-method', makeDefault: 'set-default-payment-method' }

export const paymentMethodsPage = customerPage(async (visit, { customerId, logOutNonce }) => {
  const { t } = await visit.app.shop()
  const nonces = { remove: await visit.nonce(actions.remove), makeDefault: await visit.nonce(actions.makeDefault) }
  const methods = await readSavedMethods(visit.app.tools, customerId, nonces)
  const element = <PaymentMethodsPage methods={methods} canAdd={canAddMethods(visit)} logOutNonce={logOutNonce} />
  return accountAnswer(visit, { title: t('Payment methods'), element })
})

/** Handles a link of the public interface: it has a nonce of this visitor, and repeating it has no effect. */
export const deletePaymentMethod = customerPage((visit, owner, { id = '' }) =>
  follow(visit, actions.remove, async ({ t }) => {
    const done = (await deleteSavedMethod(visit.app.tools, owner.customerId, Number(id))) === 'deleted'
    return done ? t('Payment method deleted.') : null
  }),
)

export const setDefaultPaymentMethod = customerPage((visit, owner: Owner, { id = '' }) =>
  follow(visit, actions.makeDefault, async ({ t }) => {
    const done = (await setDefaultMethod(visit.app.tools, owner.customerId, Number(id))) === 'default'
    return done ? t('This payment method is now your default.') : null
  }),
)

type Shop = Awaited<ReturnType<Visit['app']['shop']>>

/** @param act returns the notice, or null if the method is not this customer's */
async function follow(visit: Visit, action: string, act: (shop: Shop) => Promise<string | null>): Promise<Response> {
  const shop = await visit.app.shop()
  if (await visit.isNonce(visit.url.searchParams.get('_wpnonce'), action)) {
    const said = await act(shop)
    if (said) await visit.addNotice({ kind: 'success', html: escapeHtml(said) })
    else await visit.addNotice(errorNotice(shop.t('This payment method was not found.')))
  } else await visit.addNotice(staleFormNotice(shop))
  return seeOther(urls.paymentMethods())
}
