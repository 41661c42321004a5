/** Resources of webhooks. */
export const webhookResources = ['coupon', 'customer', 'order', 'product'] as const
export type WebhookResource = (typeof webhookResources)[number]

/** Events of resources, and the hooks of the classic shop that they stand for. */
const hooks = {
  'coupon.created': ['woocommerce_new_coupon'],
  'coupon.updated': ['woocommerce_update_coupon'],
  'coupon.deleted': ['wp_trash_post'],
  'coupon.restored': ['untrashed_post'],
  'customer.created': ['woocommerce_created_customer'],
  'customer.updated': ['woocommerce_update_customer'],
  'customer.deleted': ['delete_user'],
  'customer.restored': [],
  'order.created': ['woocommerce_new_order'],
  'order.updated': ['woocommerce_update_order'],
  'order.deleted': ['woocommerce_trash_order'],
  'order.restored': ['woocommerce_untrash_order'],
  'product.created': ['woocommerce_new_product'],
  'product.updated': ['woocommerce_update_product'],
  'product.deleted': ['wp_trash_post'],
  'product.restored': ['untrashed_post'],
  'product.published': ['publish_product'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Hooks that have no topic of their own. */
const furtherHooks = [
  'woocommerce_order_status_changed',
  'woocommerce_order_status_pending',
  'woocommerce_order_status_processing',
  'woocommerce_order_status_on-hold',
  'woocommerce_order_status_completed',
  'woocommerce_order_status_cancelled',
  'woocommerce_order_status_refunded',
  'woocommerce_order_status_failed',
  'woocommerce_payment_complete',
] as const

export type ResourceTopic = keyof typeof hooks
export type ActionTopic = `action.${string}`
export type WebhookTopic = ResourceTopic | ActionTopic

/** Topics of one resource each. */
export const resourceTopics = Object.keys(hooks) as readonly ResourceTopic[]

/** Hooks that are announced as `action.<hook>`. */
export const actionHooks: readonly string[] = [
  ...Object.values(hooks)
    .flat()
    .filter((hook) => hook.startsWith('woocommerce_')),
  ...furtherHooks,
]

export const isWebhookTopic = (text: string): text is WebhookTopic =>
  Object.hasOwn(hooks, text) || (text.startsWith('action.') && actionHooks.includes(text.slice('action.'.length)))

const isResourceTopic = (topic: string): topic is ResourceTopic => Object.hasOwn(hooks, topic)

/** Returns the hooks of a topic: `['woocommerce_new_order']`. */
export const hooksOf = (topic: string): readonly string[] =>
  isResourceTopic(topic) ? hooks[topic] : topic.startsWith('action.') ? [topic.slice('action.'.length)] : []

/** Returns the two halves of a topic: `order`, `created`. */
export function topicParts(topic: string): { readonly resource: string; readonly event: string } {
  const dot = topic.indexOf('.')
  return { resource: topic.slice(0, dot), event: topic.slice(dot + 1) }
}

/** Returns a topic with those of its hooks: all are announced together. */
export const topicsTogether = (topic: WebhookTopic): readonly WebhookTopic[] =>
  isResourceTopic(topic)
    ? [
        topic,
        ...hooks[topic].filter((hook) => hook.startsWith('woocommerce_')).map((hook) => `action.${hook}` as const),
      ]
    : [topic]
