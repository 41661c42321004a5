import type { Call } from '../../calls/shared/define-call.ts'
import { v3DataCalls } from './addresses/data.ts'
import { v3AttributeCalls } from './catalog/attributes.ts'
import { v3ProductCalls } from './catalog/products.ts'
import { v3ReviewCalls } from './catalog/reviews.ts'
import { v3TermCalls } from './catalog/terms.ts'
import { v3VariationCalls } from './catalog/variations.ts'
import { v3CouponCalls } from './coupons/coupons.ts'
import { v3CustomerDownloadsCall } from './customers/customer-downloads.ts'
import { v3CustomerCalls } from './customers/customers.ts'
import { v3SettingCalls, v3SettingGroupCalls, v3SettingsBatchCall } from './operations/settings.ts'
import { v3SystemStatusCall, v3SystemToolCalls } from './operations/system-status.ts'
import { v3WebhookCalls, v3WebhookDeliveryCalls } from './operations/webhooks.ts'
import { v3OrderActionCalls } from './orders/order-actions.ts'
import { v3OrderNoteCalls } from './orders/order-notes.ts'
import { v3OrderCalls } from './orders/orders.ts'
import { v3GatewayCalls } from './payments/gateways.ts'
import { v3AllRefundCalls } from './payments/refunds.ts'
import {
  v3ShippingMethodCalls,
  v3ZoneCalls,
  v3ZoneLocationCalls,
  v3ZoneMethodCalls,
} from './shipping/shipping-zones.ts'
import { v3ReportCalls } from './statistics/reports.ts'
import { v3TaxClassCalls } from './tax/tax-classes.ts'
import { v3TaxCalls } from './tax/taxes.ts'

/** Every call of REST v3. A fixed path precedes a path with an id in its place. */
export const v3Calls: readonly Call[] = [
  ...v3OrderActionCalls,
  ...v3OrderCalls,
  ...v3AttributeCalls,
  ...v3TermCalls,
  ...v3ReviewCalls,
  ...v3VariationCalls,
  ...v3ProductCalls,
  ...v3WebhookCalls,
  ...v3WebhookDeliveryCalls,
  ...v3OrderNoteCalls,
  ...v3AllRefundCalls,
  ...v3CouponCalls,
  ...v3TaxClassCalls,
  ...v3TaxCalls,
  ...v3ZoneCalls,
  ...v3ZoneLocationCalls,
  ...v3ZoneMethodCalls,
  ...v3ShippingMethodCalls,
  ...v3GatewayCalls,
  ...v3SettingGroupCalls,
  v3SettingsBatchCall,
  ...v3SettingCalls,
  ...v3ReportCalls,
  ...v3DataCalls,
  v3SystemStatusCall,
  ...v3SystemToolCalls,
  ...v3CustomerCalls,
  v3CustomerDownloadsCall,
]
