import type { ShopContextValue } from '../parts/shared/shop-context.tsx'
import type { AccountMailContent, MailContent, OrderMailContent, StockMailContent } from './mail-content.ts'

/** The texts of a message that do not depend on figures. `foot` is the reason for sending. */
export type MailWords = { subject: string; title: string; lead: readonly string[]; foot: string }

/** Returns the default texts of a message, before the merchant's own. */
export function mailWords(shop: ShopContextValue, content: MailContent): MailWords {
  switch (content.about) {
    case 'order':
      return orderWords(shop, content)
    case 'stock':
      return stockWords(shop, content)
    case 'account':
      return accountWords(shop, content)
  }
}

function orderWords({ t, name }: ShopContextValue, content: OrderMailContent): MailWords {
  const { order, greeted, customer, payUrl, refund } = content
  const { number } = order
  const toCustomer = t('%s sent you this email because of an order in its shop.', name)
  const toShop = t('Your shop %s sent you this email.', name)
  const greeting = greeted ? [t('Hello %s,', greeted)] : []
  switch (content.kind) {
    case 'new_order':
      return {
        subject: t('[%s] New order %s', name, number),
        title: t('New order %s', number),
        lead: [
          order.status === 'on-hold'
            ? t('%s has placed an order. The payment has not arrived yet.', customer)
            : t('%s has placed an order. It is ready to be fulfilled.', customer),
        ],
        foot: toShop,
      }
    case 'cancelled_order':
      return {
        subject: t('[%s] Order %s was canceled', name, number),
        title: t('Order %s was canceled', number),
        lead: [t('The order from %s will not be fulfilled. Its items are available again.', customer)],
        foot: toShop,
      }
    case 'failed_order':
      return {
        subject: t('[%s] The payment for order %s failed', name, number),
        title: t('The payment for order %s failed', number),
        lead: [t('The payment from %s failed. The order can still be paid with its link.', customer)],
        foot: toShop,
      }
    case 'customer_on_hold_order':
      return {
        subject: t('We are waiting for the payment of your order %s', number),
        title: t('Thank you for your order %s', number),
        lead: [
          ...greeting,
          order.paymentState === 'review'
            ? t(
                'We have recorded your order. The payment provider is still checking the payment; we will email you again when it arrives. You do not need to pay again.',
              )
            : order.paymentState === 'authorised'
              ? t(
                  'We have recorded your order, and its amount is reserved. You will be charged when we get your order ready; you do not need to pay again.',
                )
              : t('We have recorded your order. We will email you again as soon as your payment has arrived.'),
        ],
        foot: toCustomer,
      }
    case 'customer_processing_order':
      return {
        subject: t('Your order %s has been received', number),
        title: t('Thank you for your order %s', number),
        lead: [...greeting, t('We have received your order and are getting it ready. Here is what you ordered:')],
        foot: toCustomer,
      }
    case 'customer_completed_order':
      return {
        subject: t('Your order %s is complete', number),
        title: t('Your order %s is complete', number),
        lead: [...greeting, t('We have completed your order. Thank you for shopping with us.')],
        foot: toCustomer,
      }
    case 'customer_failed_order':
      return {
        subject: t('The payment for your order %s failed', number),
        title: t('Your order %s is not paid', number),
        lead: [
          ...greeting,
          t('The payment for your order failed, and nothing was charged.'),
          ...(payUrl
            ? [t('Your order is still open: you can pay for it again, with the same payment method or another one.')]
            : []),
        ],
        foot: toCustomer,
      }
    case 'customer_cancelled_order':
      return {
        subject: t('Your order %s was canceled', number),
        title: t('Your order %s was canceled', number),
        lead: [...greeting, t('Your order was canceled and will not be shipped. These were its details:')],
        foot: toCustomer,
      }
    case 'customer_refunded_order':
      return {
        subject: t('Your order %s was refunded', number),
        title: t('Your order %s was refunded', number),
        lead: [...greeting, t('We have refunded %s to you. Your order is refunded in full.', refund?.amount ?? '')],
        foot: toCustomer,
      }
    case 'customer_partially_refunded_order':
      return {
        subject: t('Your order %s was partially refunded', number),
        title: t('Your order %s was partially refunded', number),
        lead: [
          ...greeting,
          t('We have refunded %s to you. The rest of your order stays as it is.', refund?.amount ?? ''),
        ],
        foot: toCustomer,
      }
    case 'customer_invoice':
      return {
        subject: payUrl ? t('The payment for your order %s', number) : t('The details of your order %s', number),
        title: payUrl ? t('Please pay your order %s', number) : t('Your order %s', number),
        lead: [
          ...greeting,
          payUrl
            ? t('We have created this order for you. You can pay for it with this link:')
            : t('Here are the details of your order of %s:', content.date),
        ],
        foot: toCustomer,
      }
    case 'customer_note':
      return {
        subject: t('News about your order %s', number),
        title: t('News about your order %s', number),
        lead: [...greeting, t('We have news about your order:')],
        foot: toCustomer,
      }
  }
}

function stockWords({ t, n, name }: ShopContextValue, { kind, product, onHand }: StockMailContent): MailWords {
  const foot = t('Your shop %s sent you this email.', name)
  switch (kind) {
    case 'low_stock':
      return {
        subject: t('[%s] Running low: %s', name, product.name),
        title: t('%s is running low', product.name),
        lead: [n(onHand, '%s piece is left.', '%s pieces are left.')],
        foot,
      }
    case 'no_stock':
      return {
        subject: t('[%s] Out of stock: %s', name, product.name),
        title: t('%s is out of stock', product.name),
        lead: [t('The last piece that could be sold has been sold.')],
        foot,
      }
    case 'backorder':
      return {
        subject: t('[%s] On backorder: %s', name, product.name),
        title: t('%s is on backorder', product.name),
        lead: [
          n(
            Math.max(0, -onHand),
            '%s piece that is not in stock yet has been sold.',
            '%s pieces that are not in stock yet have been sold.',
          ),
        ],
        foot,
      }
  }
}

function accountWords({ t, name }: ShopContextValue, { reason, username }: AccountMailContent): MailWords {
  const foot = t('%s sent you this email because of an account in its shop.', name)
  switch (reason) {
    case 'welcome':
      return {
        subject: t('Your account at %s', name),
        title: t('Welcome to %s', name),
        lead: [
          t('Your account is ready. You can log in with your email address or as %s.', username),
          t('Please confirm your email address with this link within 30 minutes.'),
        ],
        foot,
      }
    case 'choose-password':
      return {
        subject: t('Your account at %s', name),
        title: t('Welcome to %s', name),
        lead: [
          t('Your account is ready. You can log in with your email address or as %s.', username),
          t('Choose your password with this link. It works once, within 30 minutes.'),
        ],
        foot,
      }
    case 'reset-password':
      return {
        subject: t('A new password for %s', name),
        title: t('Choose a new password'),
        lead: [
          t('Someone has requested a new password for your account %s.', username),
          t('If it was not you, you do not need to do anything: your password stays as it is.'),
          t('The link works once, within 30 minutes.'),
        ],
        foot,
      }
    case 'known-address':
      return {
        subject: t('Your account at %s', name),
        title: t('You already have an account'),
        lead: [
          t(
            'Someone, perhaps you, tried to create an account with your email address. You already have one: %s.',
            username,
          ),
          t('If you have forgotten your password, choose a new one with this link.'),
        ],
        foot,
      }
    case 'confirm-email':
      return {
        subject: t('Confirm your email address for %s', name),
        title: t('Is this your email address?'),
        lead: [
          t(
            'The account %s is to use this email address. Please confirm it with this link within 30 minutes.',
            username,
          ),
          t('If this is not your account, you do not need to do anything.'),
        ],
        foot,
      }
    case 'email-changed':
      return {
        subject: t('Your account at %s has a new email address', name),
        title: t('Your email address was changed'),
        lead: [
          t('Your account %s now has a new email address, which was confirmed with a link.', username),
          t('If that was not you, please contact us immediately.'),
        ],
        foot,
      }
    case 'account-closed':
      return {
        subject: t('Your account at %s is closed', name),
        title: t('Your account is closed'),
        lead: [t('The account %s and everything saved in it have been deleted, as requested.', username)],
        foot,
      }
  }
}
