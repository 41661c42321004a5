import type { PayPalNamespace } from '@paypal/paypal-js'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { showMessageV5 } from './messages/messages-v5.ts'
import type { PaymentProvider } from './provider.ts'
import { createSdkLoader, type SdkLoader } from './sdk-loader.ts'
import { sdkScriptHost } from './sdk-script.ts'
import { mountButtonV5 } from './wallet/wallet-v5.ts'

/** A page has a single loader, as the script's global is unique. */
let loader: SdkLoader<PayPalNamespace> | undefined

/** Implements the provider by its v5 script. Parts that only some checkouts need are loaded on demand. */
export function payPalV5({ generalData, queryParams }: PaymentSettings): PaymentProvider {
  loader ??= createSdkLoader(generalData.sdkUrl, sdkScriptHost(generalData.cspNonce))
  const sdks = loader
  const load = () => sdks.load({ ...queryParams, 'client-id': generalData.clientId })
  async function mounted<Part>(sdk: PayPalNamespace, mount: (sdk: PayPalNamespace) => Promise<Part>): Promise<Part> {
    try {
      return await mount(sdk)
    } catch (error) {
      sdks.doubt(sdk)
      throw error
    }
  }

  return {
    mountButton: async (container, options) => mounted(await load(), (sdk) => mountButtonV5(sdk, container, options)),
    showMessage: async (container, options) => showMessageV5(await load(), container, options),
    async mountCard(options) {
      const [sdk, { mountCardV5 }] = await Promise.all([load(), import('./cards/card-v5.ts')])
      return mounted(sdk, () => mountCardV5(sdk, options))
    },
    startOver: () => sdks.startOver(),
    async startAccelerated(options) {
      const [sdk, { startAcceleratedV5 }] = await Promise.all([load(), import('./accelerated/accelerated-v5.ts')])
      return startAcceleratedV5(sdk, options)
    },
  }
}
