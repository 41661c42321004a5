import { z } from 'zod'
import { message } from '#domain/translation/message.ts'

const yesNo = z.boolean()
const text = z.string().max(2000).default('')

/** Payment methods without a provider: texts for shoppers, and shipping restrictions. */
const offlineMethod = (title: string, description: string, enabled: boolean) =>
  z.object({
    enabled: yesNo.default(enabled),
    title: z.string().trim().min(1).max(100).default(title),
    description: text.default(description).describe('shown below the chosen method'),
    instructions: text.describe('shown on the order confirmation page and in its email'),
    shippingMethods: z
      .array(z.string().trim().min(1))
      .default([])
      .describe('allowed shipping methods: flat_rate, or flat_rate:2 for one instance; empty: all'),
    withoutShipping: yesNo.default(true).describe('allowed for orders without shipping'),
  })

const line = z.string().trim().max(100).default('')

/** Bank account for transfers. Empty lines are left out. */
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
    message('Transfer the amount to our bank account. We will ship your order once the money has arrived.'),
    false,
  )
    .extend({ accounts: z.array(bankAccount).max(10).default([]) })
    .prefault({}),
  /** Ids of methods whose own script replaces the shop's button. */
  customButtons: z.array(z.string().trim().min(1)).default([]),
  cheque: offlineMethod(
    message('Check'),
    message('Send us a check. We will ship your order once it has cleared.'),
    false,
  ).prefault({}),
})

export type BankAccount = z.infer<typeof bankAccount>
