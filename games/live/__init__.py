"""WebSocket consumers and the channel layers behind them."""
