// What templates/sw.js takes for granted: TypeScript knows of workers in general.

interface WorkerGlobalScopeEventMap {
  activate: ExtendableEvent;
  fetch: FetchEvent;
  install: ExtendableEvent;
  message: ExtendableMessageEvent;
  notificationclick: NotificationEvent;
  push: PushEvent;
  pushsubscriptionchange: PushSubscriptionChangeEvent;
}
interface WorkerGlobalScope {
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
}
declare const clients: Clients;
declare const registration: ServiceWorkerRegistration;
interface NotificationOptions {
  renotify?: boolean;
}
