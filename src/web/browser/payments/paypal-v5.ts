import type { PayPalButtonStyle, PayPalButtonsComponentOptions, PayPalNamespace } from '@paypal/paypal-js'
import type { PaymentSettings, WalletButtonStyle } from '#contract/payment-settings.ts'
import { isWindowGone, PaymentFailure } from './payment-failure.ts'
import type { MountedButton, PaymentProvider } from './provider.ts'
import { createSdkLoader, type SdkLoader } from './sdk-loader.ts'
import { sdkScriptHost } from './sdk-script.ts'

/** The typings leave out that the script tells when a component has gone. */
type ButtonOptions = PayPalButtonsComponentOptions & { onDestroy: () => void }

/** One per page, since the script's global is one per page. */
let loader: SdkLoader<PayPalNamespace> | undefined

/** The provider through its script of generation 5. */
export function payPalV5({ generalData, queryParams }: PaymentSettings): PaymentProvider {
  loader ??= createSdkLoader(generalData.sdkUrl, sdkScriptHost(generalData.cspNonce))
  const sdks = loader

  return {
    async mountButton(container, { funding, style, enabled, attempt }) {
      const sdk = await sdks.load({ ...queryParams, 'client-id': generalData.clientId })
      if (!sdk.Buttons) throw new PaymentFailure('The payment script came without buttons.')

      let wanted = enabled
      let actions: { enable(): Promise<void>; disable(): Promise<void> } | undefined
      const apply = () => {
        // A button that has gone meanwhile cannot be told any more.
        void (wanted ? actions?.enable() : actions?.disable())?.catch(() => {})
      }

      const options: ButtonOptions = {
        fundingSource: funding,
        style: buttonStyle(style),
        onInit(_, given) {
          actions = given
          if (!wanted) apply()
        },
        onClick: (_, { resolve, reject }) => (attempt.clicked() ? resolve() : reject()),
        createOrder: () => attempt.createOrder(),
        onApprove: ({ orderID }, { restart }) => attempt.approved(orderID, { restart }),
        onCancel: ({ orderID }) => attempt.cancelled(typeof orderID === 'string' ? orderID : undefined),
        onError: (error) => attempt.failed(error),
        onDestroy: () => attempt.destroyed(),
      }
      const button = sdk.Buttons(options)
      if (!button.isEligible()) return null
      await button.render(container)

      const mounted: MountedButton = {
        setEnabled(next) {
          wanted = next
          apply()
        },
        close() {
          button.close().catch((error: unknown) => {
            if (!isWindowGone(error)) console.error('the payment button did not close', error)
          })
        },
      }
      return mounted
    },
  }
}

/** The script throws on styles that do not fit together: a vertical button with a tagline, an unknown label. */
function buttonStyle({ layout, color, shape, label, height, tagline }: WalletButtonStyle): PayPalButtonStyle {
  const known = labels.find((candidate) => candidate === label)
  return {
    layout,
    color,
    shape,
    height,
    tagline: tagline && layout === 'horizontal',
    ...(known ? { label: known } : {}),
  }
}

const labels = ['paypal', 'checkout', 'buynow', 'pay'] as const
