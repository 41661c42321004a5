import { z } from 'zod'
import { message } from '#domain/translation/message.ts'

const yesNo = z.boolean()
const text = z.string().max(2000).default('')

/** Ways to pay that need no provider: the words that shoppers read, and the parcels that they may pay for. */
const offlineMethod = (title: string, description: string, enabled: boolean) =>
  z.object({
    enabled: yesNo.default(enabled),
    title: z.string().trim().min(1).max(100).default(title),
    description: text.default(description).describe('stands below the method while it is chosen'),
    instructions: text.describe('stands on the page of the placed order and in its message'),
    shippingMethods: z
      .array(z.string().trim().min(1))
      .default([])
      .describe('only with these: flat_rate, or flat_rate:2 for one of them; empty: with all'),
    withoutShipping: yesNo.default(true).describe('whether orders that need no shipping may be paid so'),
  })

const line = z.string().trim().max(100).default('')

/** Where a transfer goes to. Empty lines are left out. */
const bankAccount = z
  .object({ accountName: line, accountNumber: line, bankName: line, sortCode: line, iban: line, bic: line })
  .refine((account) => Object.values(account).some((value) => value !== ''), 'must not be empty')

export const paymentMethodsSettings = z.object({
  cod: offlineMethod(
    message('Cash on delivery'),
    message('Pay with cash when your order is delivered.'),
    true,
  ).prefault({}),
  bacs: offlineMethod(
    message('Direct bank transfer'),
    message('Transfer the amount to our account. We send your order when the money has arrived.'),
    false,
  )
    .extend({ accounts: z.array(bankAccount).max(10).default([]) })
    .prefault({}),
  /** Ids of methods whose own script brings a button in place of the shop's. */
  customButtons: z.array(z.string().trim().min(1)).default([]),
  cheque: offlineMethod(
    message('Cheque'),
    message('Send us a cheque. We send your order when it is cleared.'),
    false,
  ).prefault({}),
})

export type BankAccount = z.infer<typeof bankAccount>
