import { urls } from '#contract/shared/urls.ts'
import { postedAddress } from '#shop/checkout/parse-checkout.ts'
import { saveAccountDetails, saveAddress } from '#shop/customers/edit-customer.ts'
import { readAddressForm, readCustomersOrder, readCustomersOrders } from '#shop/customers/read-account.ts'
import { listDownloads } from '#shop/orders/downloads/list-downloads.ts'
import { AddressFormPage } from '#web/pages/addresses/address-form-page.tsx'
import { AddressesPage } from '#web/pages/addresses/addresses-page.tsx'
import { DashboardPage } from '#web/pages/customers/account-dashboard-page.tsx'
import { AccountDetailsPage } from '#web/pages/customers/account-details-page.tsx'
import { DownloadsPage } from '#web/pages/orders/downloads-page.tsx'
import { OrdersPage } from '#web/pages/orders/orders-page.tsx'
import { ViewOrderPage } from '#web/pages/orders/view-order-page.tsx'
import { faultNotices } from '../../checkout/form-notices.ts'
import { confirmNotice, detailsNotice, fieldsOf, staleFormNotice } from '../../customers/account-notices.ts'
import { seeOther } from '../../http/redirect.ts'
import type { Visit } from '../../http/visit.ts'
import { escapeHtml } from '../../notices/cart-notices.tsx'
import { orderNonces } from '../orders/order-links.ts'
import { errorPage } from '../shared/error-page.tsx'
import { accountAnswer, postedEmail, postedSecret, postedText } from './account-answer.tsx'
import { customerPage, type Owner } from './customer-page.ts'
import { confirmNonce } from './verify-email.tsx'

const latest = 3

export const dashboardPage = customerPage(async (visit, owner) => {
  const { t } = await visit.app.shop()
  const list = await readCustomersOrders(visit.app.tools, owner.customerId, 1, await orderNonces(visit))
  const orders = list.orders.slice(0, latest)
  const element = <DashboardPage {...owner} orders={orders} confirmNonce={await confirmNonce(visit)} />
  return accountAnswer(visit, { title: t('My account'), element })
})

export const ordersPage = customerPage(async (visit, { customerId, logOutNonce }, { page = '1' }) => {
  const { t } = await visit.app.shop()
  if (Number(page) < 1) return errorPage(visit, 404)
  const facts = await readCustomersOrders(visit.app.tools, customerId, Number(page), await orderNonces(visit))
  if (Number(page) > facts.pageCount) return errorPage(visit, 404)
  return accountAnswer(visit, { title: t('Orders'), element: <OrdersPage facts={facts} logOutNonce={logOutNonce} /> })
})

export const downloadsPage = customerPage(async (visit, { customerId, logOutNonce }) => {
  const { t } = await visit.app.shop()
  const downloads = await listDownloads(visit.app.tools, customerId)
  const element = <DownloadsPage downloads={downloads} logOutNonce={logOutNonce} />
  return accountAnswer(visit, { title: t('Downloads'), element })
})

/** Another customer's order is answered like one that does not exist. */
export const viewOrderPage = customerPage(async (visit, { customerId, logOutNonce }, { id = '' }) => {
  const { t } = await visit.app.shop()
  const facts = await readCustomersOrder(visit.app.tools, customerId, Number(id), await orderNonces(visit))
  if (!facts) return errorPage(visit, 404)
  const title = t('Order #%s', facts.order.number)
  return accountAnswer(visit, { title, element: <ViewOrderPage facts={facts} logOutNonce={logOutNonce} /> })
})

export const addressesPage = customerPage(async (visit, owner) => {
  const { t } = await visit.app.shop()
  return accountAnswer(visit, { title: t('Addresses'), element: <AddressesPage {...owner} /> })
})

export const addressFormPage = customerPage((visit, owner, { kind = '' }) => addressForm(visit, owner, kindOf(kind)))

export const addressFormPost = customerPage(async (visit, owner, params) => {
  const kind = kindOf(params.kind ?? '')
  const { tools } = visit.app
  const fields = await visit.fields()
  const shop = await visit.app.shop()
  const typed = postedAddress(tools, kind, fields).values
  if (!(await visit.isNonce(fields['woocommerce-edit-address-nonce'], 'woocommerce-edit_address'))) {
    return addressForm(visit, owner, kind, { typed, notices: [staleFormNotice(shop)] })
  }
  const { customerId } = owner
  const { session, faults } = await saveAddress(tools, { session: await visit.session(), customerId }, kind, fields)
  if (faults.length > 0) return addressForm(visit, owner, kind, { typed, notices: faultNotices(shop, faults) })
  visit.adopt(session)
  await visit.addNotice({ kind: 'success', html: escapeHtml(shop.t('Address changed successfully.')) })
  return seeOther(urls.addresses())
})

async function addressForm(
  visit: Visit,
  { customerId, logOutNonce }: Owner,
  kind: 'billing' | 'shipping',
  refused?: { typed: Parameters<typeof readAddressForm>[3]; notices: ReturnType<typeof faultNotices> },
): Promise<Response> {
  const { t } = await visit.app.shop()
  const facts = await readAddressForm(visit.app.tools, customerId, kind, refused?.typed)
  const nonce = await visit.nonce('woocommerce-edit_address')
  const notices = refused?.notices ?? []
  const own = { nonce, logOutNonce, invalid: fieldsOf(notices) }
  const title = kind === 'billing' ? t('Billing address') : t('Shipping address')
  return accountAnswer(visit, { title, element: <AddressFormPage facts={facts} {...own} />, notices })
}

const kindOf = (text: string) => (text === 'shipping' ? 'shipping' : 'billing')

export const accountDetailsPage = customerPage((visit, owner) => detailsForm(visit, owner, owner.customer, []))

export const accountDetailsPost = customerPage(async (visit, owner) => {
  const fields = await visit.fields()
  const shop = await visit.app.shop()
  const form = {
    firstName: postedText(fields, 'account_first_name'),
    lastName: postedText(fields, 'account_last_name'),
    displayName: postedText(fields, 'account_display_name'),
    email: postedEmail(fields, 'account_email'),
    current: postedSecret(fields, 'password_current'),
    password: postedSecret(fields, 'password_1'),
    repeat: postedSecret(fields, 'password_2'),
  }
  if (!(await visit.isNonce(fields['save-account-details-nonce'], 'save_account_details'))) {
    return detailsForm(visit, owner, form, [staleFormNotice(shop)])
  }
  const { customerId } = owner
  const customer = { session: await visit.session(), customerId, ip: visit.ip }
  const { faults, mailedTo } = await saveAccountDetails(visit.app.tools, customer, form)
  if (faults.length > 0) {
    return detailsForm(
      visit,
      owner,
      form,
      faults.map((fault) => detailsNotice(shop, fault)),
    )
  }
  await visit.addNotice({ kind: 'success', html: escapeHtml(shop.t('Account details changed successfully.')) })
  if (mailedTo !== null) await visit.addNotice(confirmNotice(shop, mailedTo))
  return seeOther(urls.account())
})

async function detailsForm(
  visit: Visit,
  { logOutNonce }: Owner,
  shown: Parameters<typeof AccountDetailsPage>[0]['customer'],
  notices: ReturnType<typeof detailsNotice>[],
): Promise<Response> {
  const { t } = await visit.app.shop()
  const nonce = await visit.nonce('save_account_details')
  const own = { nonce, logOutNonce, invalid: fieldsOf(notices) }
  return accountAnswer(visit, {
    title: t('Account details'),
    element: <AccountDetailsPage customer={shown} {...own} />,
    notices,
  })
}
