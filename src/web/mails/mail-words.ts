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
  const toCustomer = t('%s sent you this message because of an order in its shop.', name)
  const toShop = t('Your shop %s wrote this to you.', name)
  const greeting = greeted ? [t('Hello %s,', greeted)] : []
  switch (content.kind) {
    case 'new_order':
      return {
        subject: t('[%s] New order %s', name, number),
        title: t('New order %s', number),
        lead: [
          order.status === 'on-hold'
            ? t('%s has placed an order. Its payment is not here yet.', customer)
            : t('%s has placed an order. It waits to be fulfilled.', customer),
        ],
        foot: toShop,
      }
    case 'cancelled_order':
      return {
        subject: t('[%s] Order %s was cancelled', name, number),
        title: t('Order %s was cancelled', number),
        lead: [t('The order of %s will not be fulfilled. Its pieces are for sale again.', customer)],
        foot: toShop,
      }
    case 'failed_order':
      return {
        subject: t('[%s] The payment of order %s failed', name, number),
        title: t('The payment of order %s failed', number),
        lead: [t('The payment of %s did not come through. The order can still be paid by its link.', customer)],
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
                'Your order is recorded. The payment provider is still looking at the payment; we will write again when it arrives. You do not need to pay again.',
              )
            : order.paymentState === 'authorised'
              ? t(
                  'Your order is recorded and its amount is reserved. It is taken when we get your order ready; you do not need to pay again.',
                )
              : t('Your order is recorded. We will write again as soon as your payment has arrived.'),
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
        lead: [...greeting, t('We have finished your order. Thank you for buying from us.')],
        foot: toCustomer,
      }
    case 'customer_failed_order':
      return {
        subject: t('The payment of your order %s did not come through', number),
        title: t('Your order %s is not paid', number),
        lead: [
          ...greeting,
          t('The payment of your order did not come through, and nothing was charged.'),
          ...(payUrl ? [t('Your order is kept: you can pay it once more, in the same way or in another.')] : []),
        ],
        foot: toCustomer,
      }
    case 'customer_cancelled_order':
      return {
        subject: t('Your order %s was cancelled', number),
        title: t('Your order %s was cancelled', number),
        lead: [...greeting, t('Your order was cancelled and will not be sent. This is what it was:')],
        foot: toCustomer,
      }
    case 'customer_refunded_order':
      return {
        subject: t('Your order %s was refunded', number),
        title: t('Your order %s was refunded', number),
        lead: [...greeting, t('We have given you %s back. Your order is refunded in full.', refund?.amount ?? '')],
        foot: toCustomer,
      }
    case 'customer_partially_refunded_order':
      return {
        subject: t('A part of your order %s was refunded', number),
        title: t('A part of your order %s was refunded', number),
        lead: [
          ...greeting,
          t('We have given you %s back. The rest of your order stays as it is.', refund?.amount ?? ''),
        ],
        foot: toCustomer,
      }
    case 'customer_invoice':
      return {
        subject: payUrl ? t('The payment of your order %s', number) : t('The details of your order %s', number),
        title: payUrl ? t('Please pay your order %s', number) : t('Your order %s', number),
        lead: [
          ...greeting,
          payUrl
            ? t('We have made this order for you. You can pay it by this link:')
            : t('Here are the details of your order of %s:', content.date),
        ],
        foot: toCustomer,
      }
    case 'customer_note':
      return {
        subject: t('News of your order %s', number),
        title: t('News of your order %s', number),
        lead: [...greeting, t('We have something to tell you about your order:')],
        foot: toCustomer,
      }
  }
}

function stockWords({ t, n, name }: ShopContextValue, { kind, product, onHand }: StockMailContent): MailWords {
  const foot = t('Your shop %s wrote this to you.', name)
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
        subject: t('[%s] Sold out: %s', name, product.name),
        title: t('%s is sold out', product.name),
        lead: [t('The last piece that could be sold has been sold.')],
        foot,
      }
    case 'backorder':
      return {
        subject: t('[%s] To be ordered: %s', name, product.name),
        title: t('%s has to be ordered', product.name),
        lead: [
          n(
            Math.max(0, -onHand),
            '%s piece is sold that is not there yet.',
            '%s pieces are sold that are not there yet.',
          ),
        ],
        foot,
      }
  }
}

function accountWords({ t, name }: ShopContextValue, { reason, username }: AccountMailContent): MailWords {
  const foot = t('%s sent you this message because of an account in its shop.', name)
  switch (reason) {
    case 'welcome':
      return {
        subject: t('Your account at %s', name),
        title: t('Welcome to %s', name),
        lead: [
          t('Your account is open. You log in with your email address, or as %s.', username),
          t('Please confirm your address by this link, within 30 minutes.'),
        ],
        foot,
      }
    case 'choose-password':
      return {
        subject: t('Your account at %s', name),
        title: t('Welcome to %s', name),
        lead: [
          t('Your account is open. You log in with your email address, or as %s.', username),
          t('Choose your password by this link. It works once, within 30 minutes.'),
        ],
        foot,
      }
    case 'reset-password':
      return {
        subject: t('A new password for %s', name),
        title: t('Choose a new password'),
        lead: [
          t('Somebody has asked for a new password for your account %s.', username),
          t('If it was not you, there is nothing to do: your password stays as it is.'),
          t('The link works once, within 30 minutes.'),
        ],
        foot,
      }
    case 'known-address':
      return {
        subject: t('Your account at %s', name),
        title: t('You have an account already'),
        lead: [
          t('Somebody, perhaps you, wanted to open an account with your address. You have one: %s.', username),
          t('If you do not know your password any more, choose a new one by this link.'),
        ],
        foot,
      }
    case 'confirm-email':
      return {
        subject: t('Confirm your address for %s', name),
        title: t('Is this your address?'),
        lead: [
          t(
            'The account %s is to have this email address. Please confirm it by this link, within 30 minutes.',
            username,
          ),
          t('If this is not your account, there is nothing to do.'),
        ],
        foot,
      }
    case 'email-changed':
      return {
        subject: t('Your account at %s has another address', name),
        title: t('Your email address was changed'),
        lead: [
          t('Your account %s has another email address from now on, which was confirmed by a link.', username),
          t('If that was not you, please write to us at once.'),
        ],
        foot,
      }
    case 'account-closed':
      return {
        subject: t('Your account at %s is closed', name),
        title: t('Your account is closed'),
        lead: [t('The account %s and what was saved in it are deleted, as it was asked for.', username)],
        foot,
      }
  }
}
