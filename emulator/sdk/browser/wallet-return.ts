export type Returned = { how: 'onApprove' | 'onCancel' | 'onError'; orderID: string; payerID: string }

/** What a wallet's app left behind the address when it gave the buyer back: `#onApprove&token=…&PayerID=…`. */
export function returnedWith(hash: string): Returned | undefined {
  const [, how, rest = ''] = /^#(onApprove|onCancel|onError)(?:[?&](.*))?$/.exec(hash) ?? []
  if (how !== 'onApprove' && how !== 'onCancel' && how !== 'onError') return undefined
  const query = new URLSearchParams(rest)
  return { how, orderID: query.get('token') ?? '', payerID: query.get('PayerID') ?? '' }
}
