// Workers for pages that are opened from files, where browsers allow none: a script runs in a hidden frame instead. The
// site's search needs one.
(() => {
  if (location.protocol !== 'file:') return;

  const added = (inside, url) =>
    new Promise((done, failed) => {
      const script = inside.document.createElement('script');
      script.onload = done;
      script.onerror = () => failed(new Error(`${url} cannot be read`));
      script.src = new URL(url, document.baseURI).href;
      inside.document.body.append(script);
    });

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement('iframe');
      this.frame.hidden = true;
      this.frame.srcdoc = '<!doctype html><title>worker</title>';
      this.ready = new Promise((done) => {
        this.frame.onload = done;
      }).then(() => {
        const inside = this.frame.contentWindow;
        inside.postMessage = (data) => this.dispatchEvent(new MessageEvent('message', { data }));
        inside.importScripts = (...urls) =>
          urls.reduce((before, each) => before.then(() => added(inside, each)), Promise.resolve());
        return added(inside, url);
      });
      document.body.append(this.frame);
    }

    postMessage(data) {
      this.ready.then(() => {
        const inside = this.frame.contentWindow;
        inside.dispatchEvent(new inside.MessageEvent('message', { data }));
      });
    }

    terminate() {
      this.frame.remove();
    }
  };
})();
