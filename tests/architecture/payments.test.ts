import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { paymentDiagram } from './payment-diagram.ts'

const root = join(import.meta.dirname, '../..')

/** Calls of the client that move money, prepare it, or save what can pay. */
const moneyCalls =
  /\bpaypal\)?\??\.(createOrder|patchOrder|captureOrder|authorizeOrder|captureAuthorization|voidAuthorization|reauthorize|refundCapture|createSetupToken|createPaymentToken|createAgreementToken|createAgreement)\b/g

describe('payments', () => {
  it("has the diagram of a payment's states from the table of its moves", () => {
    const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
    const drawn = /```mermaid\n(stateDiagram-v2[\s\S]*?)\n```/.exec(page)?.[1]
    expect(drawn).toBe(paymentDiagram())
  })

  it('talks to the provider about money in the steps of the engine alone', () => {
    const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file))
    const found = files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const names = [...text.matchAll(moneyCalls)].map(([, name]) => name)
      const isStep = /\b(ProviderCall|PaymentStep)</.test(text)
      return names.length > 0 ? [{ file, names, isStep }] : []
    })
    expect(found.length).toBeGreaterThan(8)
    expect(found.filter(({ isStep }) => !isStep)).toEqual([])
    // A step is a value: only the engine makes its call.
    const callers = files.filter((file) => /\.call\.send\(|\bcall\.send\(/.test(readFileSync(join(root, file), 'utf8')))
    expect(callers).toEqual(['src/shop/payments/operation/run-payment-step.ts'])
  })
})
